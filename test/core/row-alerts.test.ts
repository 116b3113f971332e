/** What is said of rows of the files of acknowledgements and exemptions, and of statements that end. */
import { describe, expect, it } from 'vitest';
import { decideAcknowledgementAlerts, decideExemptionAlerts } from '../../src/core/alerts/row-alerts.ts';
import { decideStatementAlerts } from '../../src/core/alerts/run-alerts.ts';
import type { Facts } from '../../src/core/facts/facts.ts';
import type { JudgedAcknowledgement, JudgedExemption } from '../../src/core/facts/judged.ts';
import type { AlertState } from '../../src/core/facts/remembered.ts';
import { makeOpenAlert as lost, makeExemption, slot } from './make-facts.ts';
import { decide, listTexts, say, sound } from './rules.ts';

describe('a row of the acknowledgements', () => {
  const row = (changes: Partial<JudgedAcknowledgement> = {}): JudgedAcknowledgement => ({
    serial: 'C02',
    by: 'ada',
    until: slot(9),
    ticket: 'IT-1',
    note: 'n',
    result: 'unmatched',
    devices: 0,
    ...changes,
  });
  const decideRows = (
    rows: readonly JudgedAcknowledgement[],
    sources = [sound('macs')],
    states: readonly AlertState[] = [],
  ) => listTexts(decideAcknowledgementAlerts, { acknowledgements: rows, sources }, states);

  it.each<[Partial<JudgedAcknowledgement>, string]>([
    [{}, 'unmatched: The acknowledgement of serial "C02" (ada, IT-1) fits no device.'],
    [{ by: '' }, 'unmatched: The acknowledgement of serial "C02" (IT-1) fits no device.'],
    [{ by: '', ticket: '' }, 'unmatched: The acknowledgement of serial "C02" fits no device.'],
    [
      { result: 'expired' },
      `expired: The acknowledgement of serial "C02" (ada, IT-1) ended on ${slot(9)}; its device is named in reminders again.`,
    ],
    [
      { result: 'invalid', until: 'soon', line: 4 },
      'invalid: The acknowledgement of serial "C02" (ada, IT-1) in line 4 is ignored: until is "soon"; it must be a date such as 2026-12-31.',
    ],
    [
      { result: 'invalid', serial: '', by: '', until: '', ticket: '', line: 4, problem: 'a quote is not closed' },
      'invalid: The acknowledgement in line 4 is ignored: a quote is not closed.',
    ],
  ])('with %j', (changes, expected) => {
    expect(decideRows([row(changes)])).toEqual([`first acknowledgement.${expected}`]);
  });

  it('fits or not is known while every source is complete or untrusted; what else is wrong with it always', () => {
    const carried = [sound('macs'), sound('windows', 'carried')];
    const key = `acknowledgement:${JSON.stringify(['C02', 'ada', slot(9), 'IT-1'])}`;
    const details = { subject: 'The acknowledgement of serial "C02"' };
    const open = [lost(key, 1, 1, { kind: 'acknowledgement.unmatched', details })];
    expect(decideRows([row()], [sound('macs', 'untrusted')])).toHaveLength(1);
    expect(decideRows([row()], carried)).toEqual([]);
    expect(decideRows([row({ result: 'active' })], carried, open)).toEqual([]);
    expect(decideRows([row({ result: 'active' })], [sound('macs')], open)).toEqual([
      'over acknowledgement.unmatched: The acknowledgement of serial "C02" fits a device again, or was corrected or removed.',
    ]);
    expect(decideRows([row({ result: 'invalid' })], carried)).toHaveLength(1);
    expect(decideRows([row({ result: 'expired' })], carried)).toHaveLength(1);
  });

  it('that has ended is nothing where another row holds for the same serial number', () => {
    expect(decideRows([row({ result: 'expired' }), row({ serial: 'c-02', by: 'bob', result: 'active' })])).toEqual([]);
    expect(decideRows([row({ result: 'expired' }), row({ serial: 'X', result: 'active' })])).toHaveLength(1);
    expect(decideRows([row({ result: 'invalid' }), row({ by: 'bob', result: 'active' })])).toHaveLength(1);
  });
});

describe('a row of the exemptions', () => {
  const row = (result: JudgedExemption['result'], changes: Partial<JudgedExemption> = {}): JudgedExemption =>
    ({ ...makeExemption('serial', 'C02', { expires: slot(9) }), devices: 2, result, ...changes }) as JudgedExemption;
  const decideRows = (
    rows: readonly JudgedExemption[],
    sources = [sound('macs')],
    states: readonly AlertState[] = [],
  ) => decide(decideExemptionAlerts, { exemptions: rows, sources }, states).events;

  it.each<[JudgedExemption['result'], string]>([
    ['expiring', ` (it) ends after ${slot(9)}.`],
    ['expired', ` (it) ended on ${slot(9)}; what it exempted is counted again.`],
    ['unmatched', ' (it) fits no device.'],
    ['ambiguous', ' (it) fits 2 devices and therefore exempts none.'],
  ])('that is %s', (result, words) => {
    expect(decideRows([row(result)]).map(say)).toEqual([
      `first exemption.${result}: The exemption of serial "C02"${words}`,
    ]);
  });

  it.each<[Partial<JudgedExemption>, string]>([
    [{ owner: '' }, 'owner is empty'],
    [{ expires: '1/2/2027' }, 'expires is "1/2/2027", which can mean 2027-01-02 or 2027-02-01; write one of these'],
    [
      { match: 'user', value: 'ada' },
      'source is empty, which user does not allow: it can be changed on the machine itself',
    ],
  ])('that is invalid says which of its columns is wrong: %j', (changes, problem) => {
    const { match, value } = row('invalid', changes);
    expect(decideRows([row('invalid', changes)]).map(say)).toEqual([
      `first exemption.invalid: The exemption of ${match} "${value}" is ignored: ${problem}.`,
    ]);
  });

  it('of which nothing is understood is told by its line', () => {
    const nothing = { match: '', value: '', source: '', owner: '', expires: '' };
    const lines = [3, 7].map((line) => row('invalid', { ...nothing, line, problem: 'a quote is not closed' }));
    expect(decideRows([...lines, row('invalid', { owner: '', line: 9 })]).map(say)).toEqual([
      'first exemption.invalid: The exemption in line 3 is ignored: a quote is not closed.',
      'first exemption.invalid: The exemption in line 7 is ignored: a quote is not closed.',
      'first exemption.invalid: The exemption of serial "C02" in line 9 is ignored: owner is empty.',
    ]);
  });

  it('names its source where it has one', () => {
    expect(decideRows([row('unmatched')])[0]).not.toHaveProperty('source');
    expect(decideRows([row('unmatched', { source: 'macs' })])[0]).toMatchObject({ source: 'macs' });
  });

  it('that has ended or ends soon is renewed by one that exempts the same for longer', () => {
    const later = { expires: slot(40) };
    expect(decideRows([row('expired'), row('active', { value: 'c-02', ...later })])).toEqual([]);
    expect(
      decideRows([
        row('expiring', { expires: slot(30) }),
        row('expiring', later),
        row('expiring', { expires: slot(35) }),
      ]),
    ).toHaveLength(1);
    // Neither of the same date, nor of another source or value, nor one that does not hold itself.
    expect(decideRows([row('expired'), row('active', { owner: 'x' })])).toHaveLength(1);
    for (const other of [{ source: 'macs' }, { value: 'C03' }, { match: 'device_id' }]) {
      expect(decideRows([row('expired'), row('active', { ...later, ...other })])).toHaveLength(1);
    }
    expect(decideRows([row('expired'), row('unmatched', later)])).toHaveLength(2);
    expect(decideRows([row('invalid'), row('active', later)])).toHaveLength(1);
    const user = { match: 'user', value: 'ada' };
    expect(decideRows([row('expired', user), row('active', { ...user, ...later })])).toHaveLength(1);
    const id = { match: 'device_id', value: 'a-1' };
    expect(decideRows([row('expired', id), row('active', { ...id, value: 'A1', ...later })])).toHaveLength(1);
  });

  it('fits or not is known while its source is complete or untrusted; that it ended, always', () => {
    const sources = [sound('macs'), sound('windows', 'suspect')];
    for (const result of ['unmatched', 'ambiguous'] as const) {
      expect(decideRows([row(result)], sources)).toEqual([]);
      expect(decideRows([row(result, { source: 'windows' })], sources)).toEqual([]);
      expect(decideRows([row(result, { source: 'macs' })], sources)).toHaveLength(1);
      expect(decideRows([row(result)], [sound('macs', 'untrusted')])).toHaveLength(1);
    }
    for (const result of ['expired', 'expiring', 'invalid'] as const) {
      expect(decideRows([row(result)], sources)).toHaveLength(1);
    }
    const key = `exemption:${JSON.stringify(['', 'serial', 'C02', 'it', slot(9)])}`;
    const details = { subject: 'The exemption of serial "C02"' };
    const open = [lost(key, 1, 1, { kind: 'exemption.unmatched', details })];
    const ended =
      'over exemption.unmatched: The exemption of serial "C02" fits a device again, or was corrected or removed.';
    expect(decideRows([row('active')], sources, open)).toEqual([]);
    expect(decideRows([row('active')], [sound('macs')], open).map(say)).toEqual([ended]);
    expect(decideRows([], sources, open).map(say)).toEqual([ended]);
  });

  it('that stands twice is one alert', () => {
    expect(decideRows([row('unmatched'), row('invalid')]).map(({ kind }) => kind)).toEqual(['exemption.unmatched']);
  });
});

describe('a statement', () => {
  const sha256 = '0123456789abcdef'.repeat(4);
  const attested = (until: number, on = 1) =>
    ({ kind: 'attestation', about: 'x', on: slot(on), until: slot(until) }) as const;
  const accepted = { kind: 'acceptance', about: sha256, by: 'Ada Example', on: slot(1), until: slot(21) } as const;
  const what = `The attestation x of ${slot(1)}`;
  const open = [lost('statement:attestation/x', 1, 20, { kind: 'acceptance.expiring', details: { subject: what } })];
  const over = `over acceptance.expiring: ${what} was renewed or removed.`;
  const script = 'The acceptance of the script or rule with the SHA-256 0123456789ab…';

  it.each<[string, NonNullable<Facts['statements']>, readonly AlertState[], readonly string[]]>([
    ['ends within 30 days', [attested(50)], [], [`first acceptance.expiring: ${what} ends after ${slot(50)}.`]],
    ['ends later', [attested(51)], [], []],
    ['ends in this run', [attested(20)], [], [`first acceptance.expiring: ${what} ends after ${slot(20)}.`]],
    ['has ended', [attested(19)], open, [`first acceptance.expiring: ${what} ended on ${slot(19)}.`]],
    ['is renewed', [attested(300)], open, [over]],
    ['is removed', [], open, [over]],
    [
      'names who accepted, and what',
      [accepted],
      [],
      [`first acceptance.expiring: ${script}, by Ada Example on ${slot(1)} ends after ${slot(21)}.`],
    ],
    ['stands twice', [attested(22), attested(300)], [], []],
    ['stands twice in another order', [attested(300), attested(22)], [], []],
  ])('that %s', (_, statements, states, expected) => {
    expect(listTexts(decideStatementAlerts, { facts: { statements } }, states)).toEqual(expected);
  });
});
