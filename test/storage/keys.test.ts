/** What a key says of the thing that lies under it, and nothing where it only looks like one of ours. */
import { describe, expect, it } from 'vitest';
import {
  parseCommitNumber,
  parseReportFile,
  parseSlotFromCopyKey,
  parseSlotFromKey,
  toAttemptName,
  toCopyKeys,
} from '../../src/storage/keys.ts';

describe('a key', () => {
  it.each([
    ['commits/0000000012.json', 12],
    ['commits/0000000000.json', undefined],
    ['commits/9999999999.json', 9_999_999_999],
    ['commits/99999999999.json', undefined],
    ['commits/12.json', undefined],
    ['commits/0000000012.json.part', undefined],
    ['old/commits/0000000012.json', undefined],
  ])('%s is that of commit %s', (key, number) => {
    expect(parseCommitNumber(key)).toBe(number);
  });

  it.each([
    ['runs/2026-11-01/a/state.json', '2026-11-01'],
    ['old/runs/2026-11-01/a/state.json', undefined],
    ['runs/2026-11-1/a', undefined],
    ['runs/26-11-01/a', undefined],
    ['runs/2026-1-01/a', undefined],
  ])('%s is of the run of %s', (key, slot) => {
    expect(parseSlotFromKey(key)).toBe(slot);
  });

  it.each([
    ['devices/date=2026-11-01/devices.csv', '2026-11-01'],
    ['old/devices/date=2026-11-01/devices.csv', undefined],
  ])('%s is a copy of %s', (key, slot) => {
    expect(parseSlotFromCopyKey(key)).toBe(slot);
  });

  it.each([
    ['runs/2026-11-01/attempt/reports/devices.csv', 'devices.csv'],
    ['old/runs/2026-11-01/attempt/reports/devices.csv', undefined],
    ['runs/2026-11-01/attempt/reports/more/devices.csv', undefined],
    ['runs/2026-11-01/attempt/facts/before.json.gz', undefined],
  ])('%s holds the report %s', (key, file) => {
    expect(parseReportFile(key)).toBe(file);
  });
});

it.each([
  ['devices.csv', 'devices/date=2026-11-01/devices.csv'],
  ['findings.ndjson', 'findings/date=2026-11-01/findings.ndjson'],
  ['muster.xlsx', 'report/date=2026-11-01/muster.xlsx'],
  ['a.csv.gz', 'report/date=2026-11-01/a.csv.gz'],
  ['A-a.csv', 'report/date=2026-11-01/A-a.csv'],
])('%s is copied to %s', (file, dated) => {
  expect(toCopyKeys(file, '2026-11-01')).toEqual([dated, `latest/${file}`]);
});

it('an attempt is named after the moment when it began', () => {
  expect(toAttemptName(new Date('2026-11-01T05:15:00.123Z'), 'x')).toBe('20261101T051500123Z-x');
});
