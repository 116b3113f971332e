/** What is read again: a source that failed, and a slot that is tried a second time. */
import { describe, expect, it } from 'vitest';
import { type ErrorCode, MusterError } from '../../src/base/errors.ts';
import type { SourceFacts } from '../../src/core/facts/facts.ts';
import type { Clock } from '../../src/http/clock.ts';
import { type GatherOptions, gather } from '../../src/run/gather.ts';
import { at, makeExemption, makeFacts, makePc } from '../core/make-facts.ts';
import { frame, gatherFrom, makeGathering, makeList, makeSource } from './gathering.ts';

describe('a second attempt at a slot', () => {
  const [macs] = makeFacts(1).sources as [SourceFacts];

  it('does not ask again who answered completely', async () => {
    const refuses = makeSource('macs', () => {
      throw new Error('asked again');
    });
    const told = await gather(makeGathering([refuses, makeList('windows', makePc('a'))]), frame, { answered: [macs] });

    expect(told.sources).toMatchObject([{ name: 'macs', reading: 'complete' }, { name: 'windows' }]);
    expect(told.sources[0]).toEqual(macs);
  });

  it('hides users once: what was kept is hidden already', async () => {
    const privacy = { users: 'hash', key: 'k' } as const;
    const row = makeExemption('user', 'user-a@example.com', { source: 'windows' });
    const context = { ...frame, exemptions: [row] };
    const first = await gather(makeGathering([makeList('windows', makePc('a'))], { privacy }), context);
    const again = await gather(makeGathering([], { privacy }), context, { answered: first.sources });

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
    const source = makeSource('macs', (_, reading) => {
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
    const other = makeSource('windows', async () => {
      await new Promise((resolve) => setImmediate(resolve));
      isOtherReading = false;
    });
    let readings = 0;
    const failing = makeSource('macs', () => {
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
    const fading = makeSource('macs', (_, reading) => {
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
    const failing = makeSource('macs', () => {
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
    const wrong = makeSource('macs', (_, reading) => {
      readings += 1;
      const finding = { check: 'macos.extension-attribute', expected: '', found: '', advice: '' };
      reading.findings = [{ ...finding, result: 'fail', instrument: true }];
      throw broken('throttled')();
    });
    await gatherFrom([wrong]);
    expect(readings).toBe(1);
  });
});
