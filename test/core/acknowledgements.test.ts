/** Which rows of the file of acknowledgements hold, and for which devices. */
import { describe, expect, it } from 'vitest';
import {
  findAcknowledgement,
  findAcknowledgementProblem,
  indexAcknowledgements,
  judgeAcknowledgements,
} from '../../src/core/acknowledgements.ts';
import type { AcknowledgementRow } from '../../src/core/facts.ts';
import { device, judged, mac, source } from './world.ts';

const row = (changes: Partial<AcknowledgementRow> = {}): AcknowledgementRow => ({
  serial: 'C02 FX-1',
  by: 'ada',
  until: '2026-06-10',
  ticket: '',
  note: '',
  ...changes,
});
const devices = [{ serialNumber: 'c02fx1' }, { serialNumber: 'C02FX2' }, {}, { serialNumber: 'C02FX2' }];
const judgeOne = (changes: Partial<AcknowledgementRow>, slot = '2026-06-10') =>
  judgeAcknowledgements([row(changes)], devices, slot).map(({ result, devices: fits }) => [result, fits])[0];

describe('a row', () => {
  it.each([
    [{}, undefined],
    [{ serial: '' }, 'serial is empty'],
    [{ serial: ' - ' }, 'serial is empty'],
    [{ by: '' }, 'by is empty'],
    [{ until: 'soon' }, 'until is "soon"; it must be a date such as 2026-12-31'],
    [{ until: '2026-06-31' }, 'until is "2026-06-31"; it must be a date such as 2026-12-31'],
    [{ until: '2026-06-10T00:00' }, 'until is "2026-06-10T00:00"; it must be a date such as 2026-12-31'],
    [{ until: '+002026-06-10' }, 'until is "+002026-06-10"; it must be a date such as 2026-12-31'],
  ])('%j: %s', (changes, problem) => {
    expect(findAcknowledgementProblem(row(changes))).toBe(problem);
    expect(judgeOne(changes)?.[0] === 'invalid').toBe(problem !== undefined);
  });

  it.each([
    ['holds through the day that it names', {}, '2026-06-10', ['active', 1]],
    ['and not on the next', {}, '2026-06-11', ['expired', 1]],
    ['fits every device of its serial number', { serial: 'C02FX2' }, '2026-06-10', ['active', 2]],
    ['fits none', { serial: 'C02FX3' }, '2026-06-10', ['unmatched', 0]],
    ['that fits none may also be past its day', { serial: 'C02FX3' }, '2026-06-11', ['expired', 0]],
    ['that is wrong fits none', { by: '' }, '2026-06-11', ['invalid', 0]],
  ])('%s', (_, changes, slot, expected) => {
    expect(judgeOne(changes, slot)).toEqual(expected);
  });
});

it('of several rows for one machine, the one that holds longest counts', () => {
  const rows = ['2026-06-11', '2026-06-20', '2026-06-15', '2026-06-20', '2026-06-01'].map((until, index) =>
    row({ until, by: `person ${index}` }),
  );
  const index = indexAcknowledgements(judgeAcknowledgements(rows, devices, '2026-06-10'));

  expect(findAcknowledgement({ serialNumber: 'C02-FX1' }, index)).toEqual({
    by: 'person 1',
    until: '2026-06-20',
    ticket: '',
  });
  expect(findAcknowledgement({ serialNumber: 'C02FX2' }, index)).toBeUndefined();
  expect(findAcknowledgement({}, index)).toBeUndefined();
  expect(findAcknowledgement({ serialNumber: 'C02-FX1' }, new Map())).toBeUndefined();
});

it('a device has the one that holds for it, and no other device has it', () => {
  const night = judged({
    acknowledgements: [row()],
    sources: [source('macs', [mac('1', 'Not Installed'), mac('2', 'Not Installed')])],
  });

  expect(device(night, '1').acknowledgement).toEqual({ by: 'ada', until: '2026-06-10', ticket: '' });
  expect(device(night, '2')?.acknowledgement).toBeUndefined();
});
