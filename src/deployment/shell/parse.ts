/**
 * A shell script as a tree, or nothing where the parser met anything that it does not take for a whole script.
 * Parsing only: no script that came from a server is ever run.
 */
import { type ParsedScript, parse } from 'unbash';

/** An attribute's script is a few lines; a policy's a few hundred. */
const longestScript = 200_000;

/** The text as the shell would read it: without a byte-order mark, with the line ends of a Unix file. */
export function shellText(script: string): string {
  return script.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
}

export function parseShell(text: string): ParsedScript | undefined {
  if (text.length > longestScript) return undefined;
  try {
    const tree = parse(text);
    return tree.errors === undefined || tree.errors.length === 0 ? tree : undefined;
  } catch {
    return undefined;
  }
}

/** The shells that a script of ours may name, without options; zsh also without its start-up files. */
export function isKnownShell(shebang: string | undefined): boolean {
  return /^#! ?(\/bin\/(sh|bash|dash|zsh|ksh)|\/bin\/zsh (-f|--no-rcs)|\/usr\/bin\/env (sh|bash|zsh))$/.test(
    shebang?.trimEnd() ?? '',
  );
}
