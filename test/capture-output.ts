/** What a test's code prints: kept instead of shown. */
import { inspect } from 'node:util';
import { afterEach, beforeEach, vi } from 'vitest';

/** Everything that was printed since the test began, in every way that Node.js has; empty before each test. */
export function captureOutput(): readonly string[] {
  const written: string[] = [];
  const note = (chunk: unknown) => written.push(inspect(chunk)) > 0;

  beforeEach(() => {
    written.length = 0;
    for (const stream of [process.stdout, process.stderr]) {
      vi.spyOn(stream, 'write').mockImplementation(note);
    }
    for (const way of ['log', 'info', 'warn', 'error', 'debug'] as const) {
      vi.spyOn(console, way).mockImplementation(note);
    }
    vi.spyOn(process, 'emitWarning').mockImplementation(note);
  });

  afterEach(() => {
    vi.restoreAllMocks();
  });

  return written;
}
