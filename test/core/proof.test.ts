/** Why the status of a device is not proven: the first reason that holds, of a list that files and pages share. */
import { describe, expect, it } from 'vitest';
import type { Answer } from '../../src/core/facts/facts.ts';
import { unprovenReasons } from '../../src/core/facts/vocabulary.ts';
import { findFirstReason, findUnchangedProvenFrom } from '../../src/core/record/proof.ts';
import { intuneRules } from '../../src/sources/intune/rules.ts';
import { jamfRules } from '../../src/sources/jamf/rules.ts';
import {
  at,
  findDevice,
  findSource,
  judgeRuns,
  judgeSource,
  makeFacts,
  makeFinding,
  makeIncomplete,
  makeList,
  makeMac,
  makePc,
  makeSource,
} from './make-facts.ts';

/** As the design and docs/tables.md have them. */
const reasons = [
  ...['unread', 'method-not-sound', 'canary-wrong', 'list-contradicts', 'no-answer', 'not-clear', 'contradicted'],
  ...['before-repair', 'old-answer', undefined],
] as const;

/** An answer of which all from that place of the list on holds, as far as they can hold together. */
function judgeFrom(place: number) {
  const holds = (reason: (typeof reasons)[number]) => reasons.indexOf(reason) >= place;
  const row = (value: string, days: number): Answer => ({ value, at: at(1, days) });
  const missing = holds('contradicted') ? [row('3', -40), row('1', -41)] : [row('3', -40)];
  const answers = holds('no-answer') ? [] : holds('not-clear') ? [row('4', -40), row('3', -41)] : missing;
  const lastSeenAt = holds('old-answer') ? at(2, -31) : at(2);
  const device = makePc('a', null, { answers, lastSeenAt });
  const canary = makePc('c', '1', { lastSeenAt: at(2), answers: [{ value: '1', at: at(2) }] });
  const findings = (isSound: boolean) => ({ findings: [makeFinding(isSound ? 'pass' : 'fail')] });
  const isRead = !holds('unread');
  const [, night] = judgeRuns(
    { sources: [makeSource('windows', [device, canary], findings(!holds('before-repair')))] },
    {
      policy: { ...makeFacts(2).policy, reportingWithinDays: 7 },
      canaries: holds('canary-wrong') ? [{ source: 'windows', serial: 'PF0Xc', expect: 'Not Installed' }] : [],
      lists: holds('list-contradicts') ? { reporting: makeList([{ serial: 'PF0Xa', seen_at: at(2) }], 2) } : {},
      sources: [
        makeSource('windows', isRead ? [device, canary] : [canary], {
          ...findings(!holds('method-not-sound')),
          ...(!isRead && { unread: [{ id: 'a', operatingSystem: 'windows' }] }),
        }),
      ],
    },
  );
  return findDevice(night, 'a').judgement.unprovenBecause;
}

describe('the first that holds', () => {
  it.each(reasons.map((reason, place) => [reason ?? 'none: it is proven', place, reason] as const))(
    '%s',
    (_, place, reason) => {
      expect(judgeFrom(place)).toBe(reason);
    },
  );

  it('is the first of the vocabulary, in whatever order they are found', () => {
    expect(Object.keys(unprovenReasons)).toEqual(reasons.slice(0, -1));
    expect(findFirstReason('old-answer', undefined, 'contradicted', 'no-answer')).toBe('no-answer');
    expect(findFirstReason(undefined)).toBeUndefined();
  });
});

describe('a Mac', () => {
  const old = makeMac('4', 'Installed', { reportedAt: at(1, -31) });
  const macs = [makeMac('1'), makeMac('2', null), makeMac('3', 'Installed 7.1'), old];
  const listReasons = (night: Parameters<typeof findDevice>[0]) =>
    macs.map(({ id }) => findDevice(night, id).judgement.unprovenBecause);

  it('is not proven without an answer, without a clear one, and by an old one', () => {
    expect(listReasons(judgeSource(makeSource('macs', macs))[0])).toEqual([
      ...[undefined, 'no-answer', 'not-clear', 'old-answer'],
    ]);
  });

  it('is as it was while its source is carried, until the age of its answer is another', () => {
    const carried = judgeSource(makeSource('macs', macs), makeIncomplete('macs'))[1];

    expect(findSource(carried, 'macs').soundness).toBe('carried');
    expect(listReasons(carried)).toEqual([undefined, 'no-answer', 'not-clear', 'old-answer']);
  });
});

it('an unchanged answer is proof again some time after a repair, where answers have dates of their own', () => {
  const { policy } = makeFacts(1);

  expect(findUnchangedProvenFrom(at(1), intuneRules, policy)).toBe(Date.parse(at(1, policy.windowsRepairDays)));
  expect(findUnchangedProvenFrom(at(1), jamfRules, policy)).toBeUndefined();
});
