/** What a person sees while a night runs, and at its end. */
import { describe, expect, it } from 'vitest';
import { createProgressView } from '../../src/cli/progress.ts';
import { createJsonLog } from '../../src/log.ts';
import { logProgress } from '../../src/run/log-progress.ts';
import { incomplete } from '../core/world.ts';

const step = { pages: 3, rows: 1500, retries: 2, doing: 'reading computers' };

describe('progress on a terminal', () => {
  it('is a line per source with rows, pages, rate and retries, drawn over itself', () => {
    let screen = '';
    let time = 0;
    const view = createProgressView({ write: (text) => (screen += text), columns: 120 }, () => time);

    time = 1_000;
    view.watch('macs', step);
    time = 2_000;
    view.watch('windows', { ...step, rows: 20, retries: 0, doing: 'listing devices' });

    expect(screen).toContain('macs         reading computers: 1,500 rows, 3 pages, 1,500/s, 2 tried again');
    expect(screen).toContain('windows      listing devices: 20 rows, 3 pages, 10/s');
    expect(screen).toContain('\u001b[1A');
  });

  it('is not redrawn more often than a person can see, but ends with the last word', () => {
    let writes = 0;
    let last = '';
    const view = createProgressView(
      {
        write: (text) => {
          writes += 1;
          last = text;
        },
      },
      () => 1_000,
    );

    for (let rows = 0; rows < 1_000; rows += 1) {
      view.watch('macs', { ...step, rows });
    }
    expect(writes).toBe(1);
    view.close();

    expect(last).toContain('999 rows');
  });
});

describe('log lines', () => {
  it('are one JSON object a line, whatever a name holds', () => {
    const lines: string[] = [];
    const log = createJsonLog(
      (line) => lines.push(line),
      () => new Date('2026-11-20T05:15:00Z'),
    );

    log('info', 'source.read', { source: 'a\n{"level":"error"}\u2028\u202e\u0085' });

    expect(lines).toEqual([
      '{"time":"2026-11-20T05:15:00.000Z","level":"info","event":"source.read","source":"a\\n{\\"level\\":\\"error\\"}\\u2028\\u202e\\u0085"}\n',
    ]);
  });

  it('tell a page once, and the end with its problem and its receipt', () => {
    const lines: string[] = [];
    const watch = logProgress(
      createJsonLog(
        (line) => lines.push(line),
        () => new Date(0),
      ),
    );

    watch('macs', step);
    watch('macs', { ...step, rows: 1_600 });
    watch('macs', { ...step, pages: 4 });
    watch('macs', incomplete('macs'));

    const begin = { time: '1970-01-01T00:00:00.000Z', level: 'info', event: 'source.progress', source: 'macs' };
    const { problem, receipt } = incomplete('macs');
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { ...begin, ...step },
      { ...begin, ...step, pages: 4 },
      { ...begin, level: 'warn', event: 'source.read', reading: 'incomplete', problem, receipt },
    ]);
  });
});
