/** Whatever lists say: no device becomes Installed, proven or counted by one, and nothing but its place changes. */
import { expect, it } from 'vitest';
import type { Facts } from '../../src/core/facts/facts.ts';
import type { Night } from '../../src/core/facts/judged.ts';
import { type JudgedFacts, judgeAfter } from '../judge-after.ts';
import { rulesUnderTest } from '../kinds.ts';
import { generateHistory } from '../model/generate.ts';
import { isDeep } from '../sampling.ts';

function judgeAll(nights: readonly Facts[]): Night[] {
  let before: JudgedFacts | undefined;
  return nights.map((facts) => {
    before = judgeAfter(facts, before, rulesUnderTest);
    return before.night;
  });
}

function selectUnlisted({ sources, devices, changes, groups, events, exemptions, state }: Night) {
  const { lists: _, history: __, openAlerts: ___, reminded: ____, noticed: _____, ...left } = state;
  return {
    sources: sources.map(({ name, soundness, first, problem }) => ({ name, soundness, first, problem })),
    rows: withoutSaid(devices.map(({ facts, judgement: { rules: _, ...judgement } }) => ({ facts, judgement }))),
    compared: withoutSaid({ changes, groups }),
    exemptions,
    left: withoutSaid(left),
    // Drift of a list moves the day of the weekly reminders.
    events: withoutSaid(events.filter(({ kind, phase }) => !ofLists.has(kind) && phase !== 'again')),
  };
}

const ofLists = new Set(['deployment.drift', 'list.unsound', 'list.baseline', 'machine.unenrolled', 'device.silent']);

/** A list may take a proof away, and say where a machine is. */
const said = new Set(['proven', 'unprovenBecause', 'history', 'site', 'department']);

function withoutSaid(value: unknown): string {
  return JSON.stringify(value, (name, inner) => (said.has(name) ? undefined : inner));
}

it('lists make no device Installed, proven or counted', () => {
  let doubted = 0;
  for (let seed = 1; seed <= (isDeep ? 300 : 50); seed += 1) {
    const nights = generateHistory(seed).flatMap(({ attempts }) => attempts.slice(-1));
    const listed = judgeAll(nights);
    const plain = judgeAll(nights.map(({ lists: _, ...facts }) => facts));
    for (const [index, night] of listed.entries()) {
      const other = plain[index];
      if (other === undefined) {
        throw new Error('There are as many nights.');
      }
      expect(selectUnlisted(night), `seed ${seed}`).toEqual(selectUnlisted(other));
      for (const [place, { judgement }] of night.devices.entries()) {
        const why = other.devices[place]?.judgement.unprovenBecause;
        expect([why, 'list-contradicts'], `seed ${seed}`).toContain(judgement.unprovenBecause);
        doubted += Number(why === undefined && judgement.unprovenBecause !== undefined);
      }
    }
  }
  expect(doubted).toBeGreaterThan(10);
});
