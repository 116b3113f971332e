/** A state with the right hash can still have a value of a wrong type: it is refused before anything is judged by it. */
import { expect, it } from 'vitest';
import { isDeviceFacts } from '../../src/core/facts/device-fields.ts';
import type { Entry } from '../../src/core/facts/ledger.ts';
import { isLedgerLine, readLedgerLines, toLedgerLine } from '../../src/storage/runs/ledger-lines.ts';
import { isStateHead } from '../../src/storage/runs/state-head.ts';

const head = {
  ...{ schema: 7, slot: '2026-11-02', reminded: '2026-11-01' },
  sharedNumbers: [{ number: 'macos/C02XX1', lastOn: '2026-11-01' }],
  runs: {
    kept: [{ slot: '2026-10-30', number: 1, sha256: 'a' }],
    retracted: ['2026-10-31'],
    owed: [{ work: 'copy', run: { slot: '2026-10-30', number: 1, sha256: 'a' } }],
    heldBack: { since: '2026-11-01', nights: 5, limit: 400 },
  },
  lists: { expected: { slot: '2026-11-01', machines: 5 }, reporting: { slot: '2026-11-01', machines: 4 } },
  sources: [
    {
      ...{ name: 'macs', kind: 'jamf' },
      baseline: {
        ...{ slot: '2026-11-01', instrument: { id: '7', fingerprint: 'f' }, answers: 3 },
        listing: { received: 3, unlisted: 0, overview: 3 },
      },
      instrumentMemory: {
        last: { fingerprint: 'f', since: '2026-11-01', readAt: '2026-11-01T05:15:00.000Z' },
        ...{ soundFingerprint: 'f', repairedAt: '2026-11-01T05:15:00.000Z' },
        broken: { since: '2026-11-01T05:15:00.000Z', fingerprint: 'g' },
      },
    },
  ],
  noticed: ['baseline:macs'],
  openAlerts: [
    {
      ...{ key: 'device:macos/C02XX1', kind: 'device.lost', since: '2026-11-01', last: '2026-11-01' },
      ...{ opened: 1, changed: 2, about: 'f', details: { source: 'macs' } },
      sentAs: [
        {
          ...{ kind: 'device.lost', source: 'macs', site: 'A' },
          ...{ department: 'B', building: 'C', category: 'D' },
        },
      ],
    },
  ],
  history: [
    {
      ...{ slot: '2026-11-01', moment: '2026-11-01T05:15:00.000Z' },
      coverage: [
        {
          ...{
            source: 'all',
            operatingSystem: 'all',
            soundness: 'complete',
            devices: 1,
            counted: 1,
            excluded: 0,
            exempt: 0,
          },
          ...{ stale: 0, installed: 1, notInstalled: 0, provenInstalled: 1, provenNotInstalled: 0 },
          ...{ lost: 0, recovered: 0, joined: 0, left: 0 },
        },
      ],
      instruments: [{ source: 'macs', id: '7', fingerprint: 'f' }],
    },
  ],
};

const facts = {
  ...{
    id: '1',
    operatingSystem: 'macos',
    name: 'Mac',
    serialNumber: 'C02XX1',
    user: 'ada',
    osVersion: '26.1',
    model: 'Mac15,3',
  },
  ...{ lastSeenAt: '2026-11-01T00:00:00.000Z', reportedAt: '2026-11-01T00:00:00.000Z', managementState: 'managed' },
  ...{ enrolledAt: '2025-11-01T00:00:00.000Z', managementAgent: 'mdm', ownership: 'company', site: 'A' },
  ...{ department: 'B', building: 'C', category: 'D' },
  answers: [{ value: 'Installed', detail: 'error 1', at: '2026-11-01T00:00:00.000Z' }],
};
const entry: Entry = {
  ...{ name: 'macos/C02XX1', number: 'macos/C02XX1', counted: false, status: 'Not Installed' },
  standing: {
    ...{ source: 'macs', kind: 'jamf', id: '1', operatingSystem: 'macos', name: 'Mac', serialNumber: 'c02xx1' },
    ...{ site: 'A', department: 'B', building: 'C', category: 'D', reason: 'reported', excludedBecause: 'exempt' },
    ...{ stale: true, isPersonal: true, heardAt: '2026-11-01T00:00:00.000Z' },
  },
  others: [{ source: 'windows', kind: 'intune', id: '2' }],
  ...{ notInstalledSince: '2026-11-01', opensNoAlert: true, listedOn: '2026-11-02', isGone: true },
  history: [
    ['2026-10-01', 'I'],
    ['2026-11-01', 'x'],
    ['2026-11-02', '-'],
  ],
};
const line = { ...toLedgerLine(entry), number: 'macos/C02XX1' };

function* listPaths(value: unknown, path: readonly string[] = []): Generator<readonly string[]> {
  if (path.length > 0) {
    yield path;
  }
  if (typeof value === 'object' && value !== null) {
    for (const [key, child] of Object.entries(value)) {
      yield* listPaths(child, [...path, key]);
    }
  }
}

function replaceAt(value: object, path: readonly string[], by: unknown): object {
  const copy = structuredClone(value);
  const parent = path.slice(0, -1).reduce((at, key) => at[key] as never, copy as Record<string, unknown>);
  parent[path.at(-1) ?? ''] = by;
  return copy;
}

const kindOf = (one: unknown) => (Array.isArray(one) ? 'list' : typeof one);
const others = [null, 5, true, 'text', [], [null], [[]], {}, Number.NaN];

/** Places where a value of another type is taken. */
function listTaken(value: object, isTaken: (value: unknown) => boolean, wrong: readonly unknown[]): string[] {
  return [...listPaths(value)].flatMap((path) => {
    const here = path.reduce((at, key) => at[key] as never, value as Record<string, unknown>);
    return wrong
      .filter((other) => kindOf(other) !== kindOf(here) || other === null || Number.isNaN(other))
      .filter((other) => isTaken(replaceAt(value, path, other)))
      .map((other) => `${path.join('.')} as ${JSON.stringify(other)}`);
  });
}

const omit = (value: object, name: string) => Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));

/** `needed` is what every version has written; the rest may be missing. An empty list is a list of anything. */
const shapes = [
  {
    what: 'a head',
    value: head,
    isTaken: isStateHead,
    needed: ['schema', 'slot', 'runs', 'sources', 'sharedNumbers', 'history'],
  },
  {
    what: 'a line of the ledger',
    value: line,
    isTaken: isLedgerLine,
    needed: ['name', 'source', 'kind', 'id', 'operatingSystem', 'reason', 'history', 'listedOn'],
  },
  { what: 'a line of facts', value: facts, isTaken: isDeviceFacts, needed: ['id', 'operatingSystem', 'answers'] },
];

it.each(shapes)('$what is taken as it should be, and refused with any value of another type', (shape) => {
  expect(shape.isTaken(shape.value)).toBe(true);
  expect(listTaken(shape.value, shape.isTaken, others)).toEqual([]);
});

it.each(shapes)('$what is refused without what it needs', ({ value, isTaken, needed }) => {
  expect(needed.filter((name) => isTaken(omit(value, name)))).toEqual([]);
});

it('a head is taken without what may be missing, and with more than it needs', () => {
  const small = {
    ...{ schema: 7, slot: '2026-11-02', sharedNumbers: [], runs: { kept: [], more: 1 }, more: { of: 'it' } },
    sources: [{ name: 'macs', kind: 'jamf', instrumentMemory: {} }],
    history: [
      {
        slot: '2026-11-01',
        moment: '2026-11-01T05:15:00.000Z',
        coverage: [{ source: 'all', operatingSystem: 'all', soundness: 'missing', new: 1 }],
      },
    ],
  };
  expect(isStateHead(small)).toBe(true);
});

it.each([
  { kept: [], owed: [{ work: 'forget', run: { slot: '2026-11-01', number: 1, sha256: 'a' } }] },
  { kept: [{ slot: '2026-11-01', number: 0, sha256: 'a' }] },
  { kept: [{ slot: '2026-11-01', number: 1.5, sha256: 'a' }] },
])('a head is refused with runs that Muster does not know: %j', (runs) => {
  expect(isStateHead({ ...head, runs })).toBe(false);
});

it.each([
  { history: '2026-10-01Z' },
  { history: '2026-10-01I,back' },
  { reason: 'guessed' },
  { excludedBecause: 'old' },
])('a line of the ledger is refused with a word that Muster does not know: %o', (change) => {
  expect(isLedgerLine({ ...line, ...change })).toBe(false);
});

const { serialNumber: _, ...unnumbered } = entry.standing;

it.each<[string, Entry]>([
  ['it is gone', entry],
  ['it is counted and proven', { ...entry, counted: true, proven: true, history: [['2026-10-01', 'N']] }],
  ['it is Installed', { ...entry, counted: true, status: 'Installed', history: [['2026-10-01', 'i']] }],
  ['another number than its name', { ...entry, name: 'macs/jamf/1', number: 'macos/C02XX2' }],
  ['no number and no serial number', { ...entry, number: undefined, standing: unnumbered }],
  ['no number, and a serial number that is not real', { ...entry, name: 'macs/jamf/1', number: undefined }],
  ['a number, and a record that has none', { ...entry, standing: unnumbered }],
])('an entry comes back from its line where it has %s', async (_name, stored) => {
  const lines = [JSON.parse(JSON.stringify(toLedgerLine(stored)))];
  const read = await readLedgerLines(
    (async function* () {
      yield lines;
    })(),
    'ledger.ndjson.gz',
  );
  expect(read).toEqual([JSON.parse(JSON.stringify(stored))]);
});
