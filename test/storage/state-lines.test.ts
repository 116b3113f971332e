/** A line with the right hash can still have a value of a wrong type: it is refused before anything is judged by it. */
import { expect, it } from 'vitest';
import { isDeviceFacts } from '../../src/core/facts/device-fields.ts';
import { createStateLineReader } from '../../src/storage/runs/state-files.ts';

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
const line = {
  ...{ facts, status: 'Not Installed', reason: 'absent', counted: false, excludedBecause: 'exempt' },
  ...{ notInstalledSince: '2026-11-01', leftOn: '2026-11-02' },
  movedFrom: [{ source: 'macs', id: '0', on: '2026-10-01' }],
  transitions: [{ slot: '2026-11-01', from: 'Installed', to: 'Not Installed' }],
};

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

function replaceAt<Value extends object>(value: Value, path: readonly string[], by: unknown): Value {
  const copy = structuredClone(value);
  const parent = path.slice(0, -1).reduce((at, key) => at[key] as never, copy as Record<string, unknown>);
  parent[path.at(-1) ?? ''] = by;
  return copy;
}

const others = [null, 5, true, [null], [[]], {}, 'text'];

function listWrong(value: object): (readonly [place: string, wrong: object])[] {
  const kindOf = (one: unknown) => (Array.isArray(one) ? 'list' : typeof one);
  return [...listPaths(value)].flatMap((path) => {
    const here = path.reduce((at, key) => at[key] as never, value as Record<string, unknown>);
    return others
      .filter((other) => kindOf(other) !== kindOf(here) || other === null)
      .map((other) => [`${path.join('.')} as ${JSON.stringify(other)}`, replaceAt(value, path, other)] as const);
  });
}

it('a line of a state is taken as it should be, and refused with any value of another type', () => {
  expect(createStateLineReader().add([line])).toBe(true);
  const taken = listWrong(line).filter(([, wrong]) => createStateLineReader().add([wrong]));
  expect(taken.map(([place]) => place)).toEqual([]);
});

it('a line of facts likewise', () => {
  expect(isDeviceFacts(facts)).toBe(true);
  expect(listWrong(facts).flatMap(([place, wrong]) => (isDeviceFacts(wrong) ? [place] : []))).toEqual([]);
});

it.each(['facts', 'status', 'reason', 'counted', 'transitions'])('a line without its %s is refused', (name) => {
  const rest = Object.fromEntries(Object.entries(line).filter(([key]) => key !== name));
  expect(createStateLineReader().add([rest])).toBe(false);
});
