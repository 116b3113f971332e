/** What a person sees while a night runs, and at its end. */
import { describe, expect, it } from 'vitest';
import { createJsonLog } from '../../src/base/log.ts';
import { createProgressView } from '../../src/cli/console/progress.ts';
import { logProgress } from '../../src/run/reporting/log-progress.ts';
import { makeIncomplete } from '../core/make-facts.ts';

const waiting = {
  reason: 'HTTP 503',
  nextTryAt: '2026-11-20T05:16:10.000Z',
  until: '2026-11-20T05:25:00.000Z',
};
const problem = { code: 'request-failed', message: 'Jamf Pro "macs" answered 503.' };
const step = { pages: 3, rows: 1500, retries: 2, doing: 'reading computers' };

describe('progress on a terminal', () => {
  it('is a line per source with rows, pages, rate and retries, drawn over itself', () => {
    let screen = '';
    let time = 0;
    const view = createProgressView({ write: (text) => (screen += text), columns: 120 }, () => time);

    time = 600;
    view.watch('macs', { pages: 0, rows: 0, retries: 0, doing: 'signing in' });
    expect(screen).toMatch(/macs {9}signing in: 0 rows, 0 pages\n/);
    time = 1_000;
    view.watch('macs', step);
    time = 2_000;
    view.watch('windows', { ...step, rows: 20, retries: 0, doing: 'listing devices' });

    expect(screen).toContain('macs         reading computers: 1,500 rows, 3 pages, 1,500/s, 2 retries');
    expect(screen).toContain('windows      listing devices: 20 rows, 3 pages, 10/s');
    expect(screen).toContain('\u001b[1A');
  });

  it('says what is waited for and until when, at once, and what is read once more', () => {
    let screen = '';
    const view = createProgressView({ write: (text) => (screen += text), columns: 120 }, () => 1_000);

    view.watch('macs', step);
    view.watch('macs', waiting);
    expect(screen).toContain('macs         waiting: HTTP 503, next try at 05:16:10Z, until 05:25:00Z');
    view.watch('macs', { after: problem });
    view.close();
    expect(screen).toContain('macs         reading once more after request-failed');
    const { receipt, ...facts } = makeIncomplete('macs');
    view.watch('macs', { ...facts, receipt: { ...receipt, readings: 2 } });
    expect(screen).toMatch(/macs {9}not complete: .*, at the second reading/);
  });

  it('is not redrawn more often than a person can see, but ends with the last word', () => {
    let writes = 0;
    let last = '';
    const write = (text: string) => {
      writes += 1;
      last = text;
    };
    const view = createProgressView({ write }, () => 1_000);

    for (let rows = 0; rows < 1_000; rows += 1) {
      view.watch('macs', { ...step, rows });
    }
    expect(writes).toBe(1);
    view.close();

    expect(last).toContain('999 rows');
  });
});

describe('log lines', () => {
  function collectLines() {
    const lines: string[] = [];
    const write = (line: string) => void lines.push(line);
    return { lines, log: createJsonLog(write, () => new Date(0)) };
  }

  it('are one JSON object a line, whatever a name holds [N12]', () => {
    const { lines, log } = collectLines();

    log('info', 'source.read', { source: 'a\n{"level":"error"}\u2028\u202e\u0085' });

    expect(lines).toEqual([
      '{"time":"1970-01-01T00:00:00.000Z","level":"info","event":"source.read","source":"a\\n{\\"level\\":\\"error\\"}\\u2028\\u202e\\u0085"}\n',
    ]);
  });

  it('tell a page once, and the end with its problem and its receipt', () => {
    const { lines, log } = collectLines();
    const watch = logProgress(log);

    watch('macs', step);
    watch('macs', { ...step, rows: 1_600 });
    watch('macs', { ...step, pages: 4 });
    watch('macs', makeIncomplete('macs'));

    const begin = { time: '1970-01-01T00:00:00.000Z', level: 'info', event: 'source.progress', source: 'macs' };
    const { problem, receipt } = makeIncomplete('macs');
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { ...begin, ...step },
      { ...begin, ...step, pages: 4 },
      { ...begin, level: 'warn', event: 'source.read', reading: 'incomplete', problem, receipt },
    ]);
  });

  it('say what is waited for and until when, and what is read once more', () => {
    const { lines, log } = collectLines();
    const watch = logProgress(log);

    watch('macs', waiting);
    watch('macs', { after: problem });

    const begin = { time: '1970-01-01T00:00:00.000Z', level: 'warn', source: 'macs' };
    const message = 'waiting for macs: HTTP 503, next try at 05:16:10Z, until 05:25:00Z';
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { ...begin, event: 'source.waiting', ...waiting, message },
      { ...begin, event: 'source.again', after: problem },
    ]);
  });
});
