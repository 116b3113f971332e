/** What a command says on standard output; it passes its exit code on. */
export function printLines(lines: readonly string[], exit = 0): number {
  process.stdout.write(`${lines.join('\n')}\n`);
  return exit;
}

/** One document for programs, whose shape docs/json.md describes; nothing else is on standard output. */
export function printJson(document: object, exit = 0): number {
  return printLines([JSON.stringify({ schema: 1, ...document }, undefined, 2)], exit);
}
