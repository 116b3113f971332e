/** Runs in which alerts open and end, one line each: some Macs, or what is said of them. */
import type { Facts, SourceFacts } from '../../src/core/facts/facts.ts';
import {
  at,
  lenient,
  makeFacts,
  makeFinding,
  makeIncomplete,
  makeList,
  makeMac,
  makePc,
  makeSource,
  no,
  slot,
  yes,
} from './make-facts.ts';

export type RunChanges = Partial<Facts>;

export const macs = (values: Readonly<Record<string, string>>, changes: Partial<SourceFacts> = {}): RunChanges => ({
  sources: [
    makeSource(
      'macs',
      Object.entries({ 9: yes, ...values }).map(([id, value]) => makeMac(id, value)),
      changes,
    ),
  ],
  policy: lenient,
});
export const well = macs({ 1: yes });
export const lost = macs({ 1: no });
export const repeat = (count: number, changes: RunChanges): RunChanges[] =>
  Array.from({ length: count }, () => changes);
export const broken = macs({ 1: yes }, { findings: [makeFinding('fail')] });
export const away: RunChanges = { sources: [makeIncomplete('macs')], policy: lenient };
export const other: RunChanges = { sources: [makeSource('windows', [makePc('a')])], policy: lenient };
export const crowd = (value: string) =>
  macs(Object.fromEntries(Array.from({ length: 50 }, (_, id) => [`x${id}`, value])));
export const strict = (changes: RunChanges): RunChanges => ({ ...changes, policy: makeFacts(1).policy });
export const moved = (id: string, value: string): RunChanges => ({
  sources: [makeSource('macs', [makeMac('9'), makeMac(id, value, { serialNumber: 'C02MOVED1' })])],
  policy: lenient,
});
/** Two machines, and what is known of both under one serial number afterwards. */
export const pair = (value: string): RunChanges => ({
  sources: [makeSource('macs', [makeMac('1', value), makeMac('2')])],
  policy: lenient,
});
export const merged: RunChanges = {
  sources: [
    makeSource(
      'macs',
      ['1', '2'].map((id) => makeMac(id, no, { serialNumber: 'C02FX2' })),
    ),
  ],
  policy: lenient,
};
export const drift = (result: 'pass' | 'fail' | 'not-checked'): RunChanges =>
  macs(
    { 1: yes },
    { findings: [makeFinding('pass'), { ...makeFinding('pass'), check: 'policy', result, instrument: false }] },
  );
export const measured = (fingerprint: string, result: 'pass' | 'fail' = 'pass'): RunChanges =>
  macs({ 1: yes }, { instrument: { id: '6', fingerprint }, findings: [makeFinding(result)] });
export const exempt = (...rows: Facts['exemptions']): RunChanges => ({ ...lost, exemptions: rows });
export const acknowledged = (serial: string, by: string, until: string): RunChanges => ({
  ...lost,
  acknowledgements: [{ serial, by, until, ticket: 'IT-1', note: '' }],
});
export const minimum = (changes: RunChanges, minimumCoverage?: number): RunChanges => ({
  ...changes,
  policy: { ...lenient, ...(minimumCoverage === undefined ? {} : { minimumCoverage }) },
});
export const statement = (until: string): RunChanges => ({
  ...well,
  statements: [{ kind: 'attestation', about: 'account', on: slot(1), until }],
});
export const canary: RunChanges = { ...lost, canaries: [{ source: 'macs', serial: 'C02FX1', expect: no }] };

export const unread = macs({}, { unread: [{ id: '1', operatingSystem: 'macos' }] });
/** Besides one that has not been heard from for long. */
export const silent: RunChanges = { ...macs({ 1: yes, 7: yes }), policy: { ...lenient, staleAfterDays: 0 } };

/** A list of expected machines, or one of when the console saw Mac 1, in days before the run; Mac 9 is always there. */
export function listed(
  { expected, seen, age = 0 }: { expected?: string[]; seen?: number; age?: number },
  changes: RunChanges = well,
): RunChanges {
  const date = at(3, -age);
  const serials = ['C02FX9', ...(expected ?? [])].map((serial) => ({ serial }));
  const rows = [
    { serial: 'C02FX9', seen_at: at(3) },
    { serial: 'C02FX1', seen_at: at(3, -(seen ?? 0)) },
  ];
  return {
    ...changes,
    policy: { ...lenient, reportingWithinDays: 7 },
    lists: {
      ...(expected && { expected: makeList(serials, 3, { date }) }),
      ...(seen !== undefined && { reporting: makeList(rows, 3, { date }) }),
    },
  };
}
