/** A head with the right hash can still have a value of a wrong type: it is refused before anything is judged by it. */
import { expect, it } from 'vitest';
import { isStateHead } from '../../src/storage/runs/state-head.ts';

const head = {
  ...{ schema: 3, slot: '2026-11-02', published: ['2026-11-01'], reminded: '2026-11-01' },
  heldBack: { since: '2026-11-01', nights: 5, limit: 400 },
  sources: [
    {
      ...{ name: 'macs', kind: 'jamf' },
      baseline: {
        ...{ slot: '2026-11-01', instrument: { id: '7', fingerprint: 'f' }, answers: 3 },
        listing: { received: 3, unlisted: 0, overview: 3 },
        exemptUsers: [{ row: 'user:ada', ids: ['1'] }],
      },
      provisional: { nights: [{ slot: '2026-11-02', soundness: 'suspect' }] },
      instrumentMemory: {
        last: { fingerprint: 'f', since: '2026-11-01', readAt: '2026-11-01T05:15:00.000Z' },
        ...{ soundFingerprint: 'f', repairedAt: '2026-11-01T05:15:00.000Z' },
        broken: { since: '2026-11-01T05:15:00.000Z', fingerprint: 'g' },
      },
    },
  ],
  told: [
    {
      ...{ key: 'device:macs:1', kind: 'device.lost', since: '2026-11-01', last: '2026-11-01' },
      about: 'f',
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

/** What every version has written; the rest may be missing. */
const needed = ['schema', 'slot', 'published', 'sources', 'history'];

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

function replaceAt(path: readonly string[], by: unknown): unknown {
  const copy = structuredClone(head);
  const parent = path.slice(0, -1).reduce((at, key) => at[key] as never, copy as Record<string, unknown>);
  parent[path.at(-1) ?? ''] = by;
  return copy;
}

const wrong = [null, 5, true, 'text', [], [null], [[]], {}, Number.NaN];
const kindOf = (one: unknown) => (Array.isArray(one) ? 'list' : typeof one);

it('is taken as it should be, and refused with any value of another type, wherever it is', () => {
  expect(isStateHead(head)).toBe(true);
  const taken = [...listPaths(head)].flatMap((path) => {
    const here = path.reduce((at, key) => at[key] as never, head as Record<string, unknown>);
    return wrong
      .filter((other) => kindOf(other) !== kindOf(here) || other === null || Number.isNaN(other))
      .filter((other) => isStateHead(replaceAt(path, other)))
      .map((other) => `${path.join('.')} as ${JSON.stringify(other)}`);
  });
  expect(taken).toEqual([]);
});

it.each(needed)('is refused without its %s', (name) => {
  const rest = Object.fromEntries(Object.entries(head).filter(([key]) => key !== name));
  expect(isStateHead(rest)).toBe(false);
});

it('is taken without what may be missing, and with more than it needs', () => {
  const small = {
    ...{ schema: 3, slot: '2026-11-02', published: [], more: { of: 'it' } },
    sources: [{ name: 'macs', kind: 'jamf', provisional: { nights: [] }, instrumentMemory: {} }],
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
