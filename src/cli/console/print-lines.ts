/** What a command says on standard output; it passes its exit code on. */
export function printLines(lines: readonly string[], exit = 0): number {
  process.stdout.write(`${lines.join('\n')}\n`);
  return exit;
}
