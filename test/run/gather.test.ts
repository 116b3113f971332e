import { describe, expect, it } from 'vitest';
import { MusterError } from '../../src/base/errors.ts';
import { sourceRules } from '../../src/compose/source-kinds.ts';
import type { SourceFacts } from '../../src/core/facts/facts.ts';
import { type GatherOptions, gather } from '../../src/run/gather.ts';
import { judgeRun } from '../../src/run/judge-run.ts';
import type { ReadContext, Source } from '../../src/sources/source.ts';
import { makeFacts, makeMac, makePc } from '../core/make-facts.ts';
import { frame, gatherFrom, makeGathering, makeList, makeSource } from './gathering.ts';

describe('gathering', () => {
  it('puts sources and devices in order, by code point', async () => {
    const told = await gatherFrom([
      makeList('windows', makePc('b'), makePc('a')),
      makeList('macs', makeMac('9'), makeMac('10')),
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
      makeSource(name, (_, sheet) => {
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
    const failing = makeSource('macs', (_, sheet) => {
      sheet.devices = [makeMac('1')];
      sheet.receipt.claimed = 2;
      throw new MusterError('rows-missing', 'One row is missing.');
    });
    const told = await gatherFrom([failing, makeList('windows', makePc('a'))]);

    expect(told.sources[0]).toMatchObject({
      ...{ reading: 'incomplete', problem: { code: 'rows-missing', message: 'One row is missing.' } },
      ...{ receipt: { claimed: 2 }, devices: [{ id: '1' }] },
    });
    expect(told.sources[1]).toMatchObject({ reading: 'complete' });
  });

  it('a failure that is not ours has a code too', async () => {
    const failing = makeSource('macs', () => {
      throw new TypeError('x is undefined');
    });
    const told = await gatherFrom([failing]);

    expect(told.sources[0]?.problem).toEqual({ code: 'unexpected', message: 'Reading macs failed: x is undefined' });
  });

  it('the deadline is the source’s problem, in words', async () => {
    const stop = new AbortController();
    const slow = makeSource('macs', () => {
      stop.abort(new Error('deadline'));
      throw new Error('aborted');
    });
    const told = await gatherFrom([slow, makeList('windows')], { signal: stop.signal });

    expect(told.sources.map(({ problem }) => problem?.code)).toEqual(['deadline', undefined]);
  });

  it('somebody who stops the run stops all of it', async () => {
    const stop = new AbortController();
    const stopped = makeSource('macs', () => {
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
      makeSource(name, async () => {
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
    const talking = makeSource('macs', ({ progress }) => progress({ pages: 1, rows: 5, retries: 0, doing: 'devices' }));
    const watch: GatherOptions['onProgress'] = (name, step) =>
      seen.push(`${name} ${'reading' in step ? step.reading : 'doing' in step && step.doing}`);
    await gatherFrom([talking], { onProgress: watch });

    expect(seen).toEqual(['macs devices', 'macs complete']);
  });
});

it('a source is told the slot that it is asked for, and its moment', async () => {
  let told: Pick<ReadContext, 'slot' | 'moment'> | undefined;
  const curious = makeSource('macs', ({ slot, moment }) => {
    told = { slot, moment };
  });
  await gather(makeGathering([curious]), { ...frame, slot: '2026-11-21', moment: '2026-11-20T23:15:00.000Z' });
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
    await gather(makeGathering([curious]), frame, { before });
    return told;
  }

  const [macs, windows] = makeFacts(1).sources as [SourceFacts, SourceFacts];

  it('its own last good night: instrument, answers', async () => {
    const answered = { ...windows, receipt: { ...windows.receipt, answersReceived: 7 } };

    expect(await remembered(makeList('macs'), [macs, windows])).toEqual({ instrument: { id: '6' } });
    expect(await remembered(makeList('windows'), [macs, answered])).toMatchObject({ answers: 7 });
  });

  it('nothing of another kind’s source of that name, nor of a night that was not good [S21]', async () => {
    expect(await remembered({ ...makeList('macs'), kind: 'intune' }, [macs])).toEqual({});
    expect(await remembered(makeList('macs'), [{ ...macs, reading: 'incomplete' }])).toEqual({});
    expect(await remembered(makeList('new'), [macs])).toEqual({});
  });
});
