/** Which machines became Not Installed so that no alert opens while they stay so. */
import { describe, expect, it } from 'vitest';
import type { DeviceFacts, Facts } from '../../src/core/facts/facts.ts';
import type { Night } from '../../src/core/facts/judged.ts';
import { at, judgeRuns, makeMac, makeMacs, makeMoreMacs, makeRun, no, yes } from './make-facts.ts';
import { findEntry } from './records.ts';

const name = 'macos/C02SAME';
/** The machine as a record of a source. */
const same = (id: string, value: string | null = yes, changes: Partial<DeviceFacts> = {}) =>
  makeMac(id, value, { serialNumber: 'C02SAME', ...changes });

describe('of a machine that became Not Installed', () => {
  const opens = (night: Night | undefined) => findEntry(night, name)?.opensNoAlert !== true;
  const other = (value: string, days: number, changes: Partial<DeviceFacts> = {}) =>
    same('2', value, { reportedAt: at(1, days), lastSeenAt: at(1, days), ...changes });

  it.each<[string, boolean, Partial<Facts>[]]>([
    ['on its source’s first night no alert opens', false, [makeRun(makeMacs([same('1', no)]))]],
    [
      'then it opens none while it stays so',
      false,
      [makeRun(makeMacs([same('1', no)])), makeRun(makeMacs([same('1', no)])), makeRun(makeMacs([same('2', no)]))],
    ],
    ['later it opens one', true, [makeRun(makeMacs([same('1')])), makeRun(makeMacs([same('1', no)]))]],
    ['anew it opens one', true, [no, yes, no].map((value) => makeRun(makeMacs([same('1', value)])))],
    [
      'after it was not counted it opens one',
      true,
      [same('1', no), same('1', no, { managementState: 'unmanaged' }), same('1', no)].map((one) =>
        makeRun(makeMacs([one])),
      ),
    ],
    [
      'after it was gone it opens one',
      true,
      [[same('1', no)], [], [same('1', no)]].map((devices) => makeRun(makeMacs(devices))),
    ],
    [
      'by the first night of another source it opens none',
      false,
      [makeRun(makeMacs([same('1')])), makeRun(makeMacs([]), makeMoreMacs([same('1', no)]))],
    ],
    [
      'before it came to another source’s first night it opens one',
      true,
      [
        makeRun(makeMacs([same('1')])),
        makeRun(makeMacs([same('1', no)])),
        makeRun(makeMacs([]), makeMoreMacs([same('1', no)])),
      ],
    ],
    [
      'by an older answer it opens one later',
      true,
      [makeRun(makeMacs([same('1')])), makeRun(makeMacs([other(no, -0.6)]))],
    ],
    ['by an answer as old it opens one', true, [makeRun(makeMacs([same('1')])), makeRun(makeMacs([other(no, -0.5)]))]],
    [
      'by an answer of nobody knows when it opens one later',
      true,
      [makeRun(makeMacs([same('1')])), makeRun(makeMacs([undated(other(no, 0))]))],
    ],
    [
      'by one where nobody knows it of the one that stood either it opens one',
      true,
      [makeRun(makeMacs([undated(same('1'))])), makeRun(makeMacs([undated(other(no, 0))]))],
    ],
  ])('%s', (_, isOpening, runs) => {
    const last = judgeRuns(...runs).at(-1);
    expect(findEntry(last, name)).toMatchObject({ status: no, counted: true });
    expect(opens(last)).toBe(isOpening);
  });

  it('nothing is said where it has the agent, is not counted or is gone', () => {
    const [, second] = judgeRuns(
      makeRun(makeMacs([])),
      makeRun(makeMacs([same('1')]), makeMoreMacs([makeMac('2', no, { managementState: 'unmanaged' })])),
    );
    expect(second?.state.ledger.filter(({ opensNoAlert }) => opensNoAlert)).toEqual([]);
    const [first, gone] = judgeRuns(makeRun(makeMacs([same('1', no)])), makeRun(makeMacs([])));
    expect([findEntry(first, name), findEntry(gone, name)].map((one) => one?.opensNoAlert)).toEqual([true, undefined]);
  });

  function undated({ lastSeenAt: _, ...facts }: DeviceFacts): DeviceFacts {
    return facts;
  }
});
