/** The scripts on the server: the vendor's enrollment script, and those that `muster artifacts` renders, written again. */
import { fillTemplate } from '../templates.ts';
import scripts from './templates/scripts.json' with { type: 'json' };

export const attributeScript = joinScriptLines(scripts.attribute);

export const enrollScript = joinScriptLines(scripts.enroll);

/** The five documented steps, for a directory-joined agent; the sandbox's service is on this machine, without TLS. */
export function renderDirectoryScript(service: string): string {
  return joinScriptLines(fillTemplate(scripts.directory, { service }));
}

/** The server keeps scripts as the browser sent them: with CRLF. */
function joinScriptLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\r\n`).join('');
}
