import { describe, expect, it } from 'vitest';
import { type ErrorCode, MusterError } from '../../src/base/errors.ts';
import { sourceRules } from '../../src/compose/source-kinds.ts';
import type { DeviceFacts, SourceFacts } from '../../src/core/facts/facts.ts';
import type { Clock } from '../../src/http/clock.ts';
import { type GatherOptions, gather, type RunContext } from '../../src/run/gather.ts';
import { judgeRun } from '../../src/run/judge-run.ts';
import type { ReadContext, Source, SourceReading } from '../../src/sources/source.ts';
import { at, makeExemption, makeFacts, makeMac, makePc } from '../core/make-facts.ts';

/** A clock that stands still but for a second each time it is read. */
function clock(): Clock {
  let reads = 0;
  return {
    now: () => new Date(Date.parse(at(1)) + 1000 * reads++),
    elapsed: () => 1000 * reads,
    sleep: async () => {},
  };
}

function asked(name: string, read: (ask: ReadContext, sheet: SourceReading) => Promise<void> | void): Source {
  const kind = name.startsWith('mac') ? 'jamf' : 'intune';
  return { name, kind, read: async (ask, sheet) => read(ask, sheet) };
}

function lists(name: string, ...devices: DeviceFacts[]): Source {
  return asked(name, (_, sheet) => {
    sheet.devices = devices;
    sheet.receipt.received = devices.length;
  });
}

function gathering(sources: Source[], changes: Partial<GatherOptions> = {}): GatherOptions {
  return {
    sources,
    privacy: { users: 'show' },
    clock: clock(),
    patience: 600_000,
    signal: new AbortController().signal,
    ...changes,
  };
}

const { sources: _none, schema: _schema, ...frame } = makeFacts(1);

/** The facts of a first run. */
function gatherFrom(
  sources: Source[],
  changes: Partial<GatherOptions> = {},
  context: RunContext = frame,
  answered: SourceFacts[] = [],
) {
  return gather(gathering(sources, changes), context, { answered });
}

describe('gathering', () => {
  it('puts sources and devices in order, by code point', async () => {
    const told = await gatherFrom([
      lists('windows', makePc('b'), makePc('a')),
      lists('macs', makeMac('9'), makeMac('10')),
    ]);

    expect(told.sources.map(({ name }) => name)).toEqual(['macs', 'windows']);
    expect(told.sources.map(({ devices }) => devices.map(({ id }) => id))).toEqual([
      ['10', '9'],
      ['a', 'b'],
    ]);
    expect(told).toMatchObject({ schema: 5, slot: frame.slot, moment: frame.moment, policy: frame.policy });
    expect(told.sources[0]).toMatchObject({ reading: 'complete', receipt: { received: 2 } });
    const { started, ended } = told.sources[0]?.receipt ?? {};
    expect(String(started) < String(ended)).toBe(true);
    expect(told.sources[0]).not.toHaveProperty('problem');
  });

  it('devices that could not be read are named in order, of a complete reading alone (F1) [P21]', async () => {
    const unread = (name: string, ids: string[], end?: MusterError) =>
      asked(name, (_, sheet) => {
        sheet.unread = ids.map((id) => ({ id, operatingSystem: 'macos' }));
        if (end) {
          throw end;
        }
      });
    const failure = new MusterError('permission-missing', 'No.');
    const { sources } = await gatherFrom([unread('a', ['9', '10']), unread('b', []), unread('c', ['1'], failure)]);
    expect(sources.map((source) => source.unread?.map(({ id }) => id))).toEqual([['10', '9'], undefined, undefined]);
    expect(sources.map((source) => 'unread' in source)).toEqual([true, false, false]);
  });

  it('a source that fails keeps what it had learnt, and spoils nobody else', async () => {
    const failing = asked('macs', (_, sheet) => {
      sheet.devices = [makeMac('1')];
      sheet.receipt.claimed = 2;
      throw new MusterError('rows-missing', 'One row is missing.');
    });
    const told = await gatherFrom([failing, lists('windows', makePc('a'))]);

    expect(told.sources[0]).toMatchObject({
      ...{ reading: 'incomplete', problem: { code: 'rows-missing', message: 'One row is missing.' } },
      ...{ receipt: { claimed: 2 }, devices: [{ id: '1' }] },
    });
    expect(told.sources[1]).toMatchObject({ reading: 'complete' });
  });

  it('a failure that is not ours has a code too', async () => {
    const failing = asked('macs', () => {
      throw new TypeError('x is undefined');
    });
    const told = await gatherFrom([failing]);

    expect(told.sources[0]?.problem).toEqual({ code: 'unexpected', message: 'Reading macs failed: x is undefined' });
  });

  it('the deadline is the source’s problem, in words', async () => {
    const stop = new AbortController();
    const slow = asked('macs', () => {
      stop.abort(new Error('deadline'));
      throw new Error('aborted');
    });
    const told = await gatherFrom([slow, lists('windows')], { signal: stop.signal });

    expect(told.sources.map(({ problem }) => problem?.code)).toEqual(['deadline', undefined]);
  });

  it('somebody who stops the run stops all of it', async () => {
    const stop = new AbortController();
    const stopped = asked('macs', () => {
      stop.abort(new MusterError('stopped', 'Stopped.'));
      throw new Error('aborted');
    });

    await expect(gatherFrom([stopped], { signal: stop.signal })).rejects.toMatchObject({
      code: 'stopped',
    });
  });

  it('asks all sources at once', async () => {
    let waiting = 0;
    let goOn = () => {};
    const both = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const meets = (name: string) =>
      asked(name, async () => {
        waiting += 1;
        if (waiting === 2) {
          goOn();
        }
        await both;
      });
    const told = await gatherFrom([meets('macs'), meets('windows')]);

    expect(told.sources.map(({ reading }) => reading)).toEqual(['complete', 'complete']);
  });

  it('tells those who watch, step by step and at the end', async () => {
    const seen: string[] = [];
    const talking = asked('macs', ({ progress }) => progress({ pages: 1, rows: 5, retries: 0, doing: 'devices' }));
    const watch: GatherOptions['onProgress'] = (name, step) =>
      seen.push(`${name} ${'reading' in step ? step.reading : 'doing' in step && step.doing}`);
    await gatherFrom([talking], { onProgress: watch });

    expect(seen).toEqual(['macs devices', 'macs complete']);
  });
});

it('a source is told the slot that it is asked for, and its moment', async () => {
  let told: Pick<ReadContext, 'slot' | 'moment'> | undefined;
  const curious = asked('macs', ({ slot, moment }) => {
    told = { slot, moment };
  });
  await gather(gathering([curious]), { ...frame, slot: '2026-11-21', moment: '2026-11-20T23:15:00.000Z' });
  expect(told).toEqual({ slot: '2026-11-21', moment: new Date('2026-11-20T23:15:00Z') });
});

describe('what a source knows of its past', () => {
  async function remembered(source: Source, past: SourceFacts[]) {
    const before = judgeRun(makeFacts(1, { sources: past }), undefined, sourceRules).state;
    let told: ReadContext['remembered'] | undefined;
    const curious: Source = {
      ...source,
      read: async (ask) => {
        told = ask.remembered;
      },
    };
    await gather(gathering([curious]), frame, { before });
    return told;
  }

  const [macs, windows] = makeFacts(1).sources as [SourceFacts, SourceFacts];

  it('its own last good night: instrument, answers', async () => {
    const answered = { ...windows, receipt: { ...windows.receipt, answersReceived: 7 } };

    expect(await remembered(lists('macs'), [macs, windows])).toEqual({ instrument: { id: '6' } });
    expect(await remembered(lists('windows'), [macs, answered])).toMatchObject({ answers: 7 });
  });

  it('nothing of another kind’s source of that name, nor of a night that was not good [S21]', async () => {
    expect(await remembered({ ...lists('macs'), kind: 'intune' }, [macs])).toEqual({});
    expect(await remembered(lists('macs'), [{ ...macs, reading: 'incomplete' }])).toEqual({});
    expect(await remembered(lists('new'), [macs])).toEqual({});
  });
});

describe('a second attempt at a slot', () => {
  const [macs] = makeFacts(1).sources as [SourceFacts];

  it('does not ask again who answered completely', async () => {
    const refuses = asked('macs', () => {
      throw new Error('asked again');
    });
    const told = await gather(gathering([refuses, lists('windows', makePc('a'))]), frame, { answered: [macs] });

    expect(told.sources).toMatchObject([{ name: 'macs', reading: 'complete' }, { name: 'windows' }]);
    expect(told.sources[0]).toEqual(macs);
  });

  it('hides users once: what was kept is hidden already', async () => {
    const privacy = { users: 'hash', key: 'k' } as const;
    const row = makeExemption('user', 'user-a@example.com', { source: 'windows' });
    const context = { ...frame, exemptions: [row] };
    const first = await gather(gathering([lists('windows', makePc('a'))], { privacy }), context);
    const again = await gather(gathering([], { privacy }), context, { answered: first.sources });

    expect(again.sources).toEqual(first.sources);
    expect(again.exemptions).toEqual(first.exemptions);
  });
});

describe('a source that failed for a reason that may have passed', () => {
  interface Attempted {
    readonly readings: number;
    readonly steps: readonly string[];
    readonly facts: SourceFacts | undefined;
  }

  /** A source that fails with these, one after the other, and then answers. */
  async function attempted(
    failures: readonly (() => Error)[],
    changes: Partial<GatherOptions> = {},
  ): Promise<Attempted> {
    let readings = 0;
    const steps: string[] = [];
    const source = asked('macs', (_, reading) => {
      readings += 1;
      reading.receipt.received = readings;
      const failure = failures[readings - 1];
      if (failure !== undefined) {
        throw failure();
      }
    });
    const onProgress: GatherOptions['onProgress'] = (_, step) => {
      steps.push('after' in step ? `again after ${step.after.code}` : 'reading' in step ? step.reading : 'other');
    };
    const told = await gatherFrom([source], { onProgress, ...changes });
    return { readings, steps, facts: told.sources[0] };
  }

  const broken = (code: ErrorCode) => () => new MusterError(code, 'It did not answer.');
  const passing: readonly ErrorCode[] = [
    'request-failed',
    'request-timed-out',
    'throttled',
    'answer-unreadable',
    'rows-missing',
    'paging-broken',
    'export-failed',
  ];

  it.each(passing)('is asked once more: %s', async (code) => {
    const { readings, steps, facts: read } = await attempted([broken(code)]);
    expect(readings).toBe(2);
    expect(steps).toEqual([`again after ${code}`, 'complete']);
    expect(read).toMatchObject({ reading: 'complete', receipt: { received: 2, readings: 2 } });
    const { started = '', ended = '' } = read?.receipt ?? {};
    expect(Date.parse(ended) - Date.parse(started)).toBeGreaterThanOrEqual(3_000);
  });

  it.each<ErrorCode>(['app-missing', 'permission-missing', 'sign-in-refused', 'foreign-link', 'unexpected'])(
    'is not asked again for any other reason: %s',
    async (code) => {
      const { readings, steps, facts: read } = await attempted([broken(code)]);
      expect(readings).toBe(1);
      expect(steps).toEqual(['incomplete']);
      expect(read?.receipt).not.toHaveProperty('readings');
    },
  );

  it('is asked once more when the others have answered, and not a third time', async () => {
    let isOtherReading = true;
    const other = asked('windows', async () => {
      await new Promise((resolve) => setImmediate(resolve));
      isOtherReading = false;
    });
    let readings = 0;
    const failing = asked('macs', () => {
      readings += 1;
      expect(isOtherReading).toBe(readings === 1);
      throw broken('throttled')();
    });
    const told = await gatherFrom([failing, other]);
    expect(readings).toBe(2);
    expect(told.sources[0]).toMatchObject({ reading: 'incomplete', problem: { code: 'throttled' } });
  });

  it('keeps the first reading where the second came less far', async () => {
    const { facts: read } = await attempted([broken('throttled'), broken('sign-in-refused')]);
    expect(read).toMatchObject({ problem: { code: 'sign-in-refused' }, receipt: { received: 2, readings: 2 } });
    let readings = 0;
    const fading = asked('macs', (_, reading) => {
      readings += 1;
      reading.receipt.received = readings === 1 ? 7 : 0;
      throw broken(readings === 1 ? 'rows-missing' : 'request-failed')();
    });
    const told = await gatherFrom([fading]);
    expect(told.sources[0]).toMatchObject({ problem: { code: 'rows-missing' }, receipt: { received: 7, readings: 2 } });
  });

  it.each<[string, number, number]>([
    ['more than half of the time is left', 9_000, 2],
    ['half of the time is gone', 4_000, 1],
  ])('is asked once more only where there is time: %s', async (_when, deadline, expected) => {
    let time = 0;
    const slow: Clock = { now: () => new Date(at(1)), elapsed: () => time, sleep: async () => {} };
    let readings = 0;
    const failing = asked('macs', () => {
      readings += 1;
      time += 3_000;
      throw broken('request-failed')();
    });
    const told = await gatherFrom([failing], { clock: slow, deadline });
    expect(readings).toBe(expected);
    expect(told.sources[0]?.reading).toBe('incomplete');
  });

  it('is asked once where a person waits, and where its instrument is wrong', async () => {
    expect((await attempted([broken('throttled')], { asksOnce: true })).readings).toBe(1);
    let readings = 0;
    const wrong = asked('macs', (_, reading) => {
      readings += 1;
      const finding = { check: 'macos.extension-attribute', expected: '', found: '', advice: '' };
      reading.findings = [{ ...finding, result: 'fail', instrument: true }];
      throw broken('throttled')();
    });
    await gatherFrom([wrong]);
    expect(readings).toBe(1);
  });
});
