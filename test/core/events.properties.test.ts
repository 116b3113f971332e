/** Random histories of up to 60 nights: outages, broken instruments, breakers, machines that move, sources that come and go. */

import { expect, test } from 'vitest';
import type { AlertEvent } from '../../src/core/facts/alert-event.ts';
import { countDaysBetween } from '../../src/core/facts/calendar.ts';
import type { Facts } from '../../src/core/facts/facts.ts';
import type { JudgedDevice, Night } from '../../src/core/facts/judged.ts';
import { findSentKey, isSent } from '../../src/core/facts/remembered.ts';
import { isDeep } from '../sampling.ts';
import { history, holdOver } from './fleets.ts';
import { at, nights } from './world.ts';

test('each is reported, resolves nothing from missing data, and leaves open what is open (G4, G6, G17) [D9]', () =>
  // Each history is judged once and held to all of the rules, since judging takes most of the time.
  holdOver(
    history(60).map(withGrace),
    (all) => all,
    (all) => {
      const judged = nights(...all);
      expectEachToldOnce(judged);
      expectNothingResolvedFromMissingData(judged);
      expectOneEventForEachKey(judged);
      expectOpenAsSent(judged);
    },
    { seed: 20_260_602, numRuns: isDeep ? 40 : 12 },
  ));

/** Some devices were enrolled a day before the night that lists them. */
function withGrace(all: readonly Facts[]): Facts[] {
  return all.map((facts, index) => ({
    ...facts,
    policy: { ...facts.policy, overdueAfterDays: 3, minimumCoverage: 50 },
    sources: facts.sources.map((source) => ({
      ...source,
      devices: source.devices.map((device, place) =>
        (index + place) % 4 === 0 ? { ...device, enrolledAt: at(index + 1, -1) } : device,
      ),
    })),
  }));
}

const matterOf = ({ source, facts }: JudgedDevice) => `device:${source}/${facts.id}`;
const toldOf = (night: Night | undefined) => new Map((night?.state.told ?? []).map((entry) => [entry.key, entry]));

/** Not due yet: enrolled less than three days ago, or measured before the instrument was repaired. */
function isHeldBack(device: JudgedDevice, night: Night): boolean {
  const { enrolledAt } = device.facts;
  if (enrolledAt !== undefined && Date.parse(night.moment) - Date.parse(enrolledAt) < 72 * 3_600_000) {
    return true;
  }
  return device.judgement.isBeforeRepair;
}

/** Who is counted and Not Installed on a sound night was told, by an event of its own or the baseline (G4). */
function expectEachToldOnce(all: readonly Night[]): void {
  for (const [index, night] of all.entries()) {
    const before = toldOf(all[index - 1]);
    const after = toldOf(night);
    const events = new Map(night.events.map((event) => [event.key, event]));
    for (const { name, soundness, first } of night.sources) {
      if (soundness !== 'complete') {
        continue;
      }
      for (const device of night.devices.filter(({ source }) => source === name)) {
        if (!device.judgement.counted || device.judgement.status === 'Installed') {
          continue;
        }
        const key = matterOf(device);
        if (!after.has(key)) {
          expect(isHeldBack(device, night), `${night.slot} ${key}`).toBe(true);
        } else if (!before.has(key) && !first && events.get(key)?.phase !== 'first') {
          // The machine was told under an older record, which is told no longer.
          const { since, last } = after.get(key) ?? {};
          const older = [...before.values()].filter((entry) => !after.has(entry.key));
          expect(older, `${night.slot} ${key}`).toContainEqual(expect.objectContaining({ since, last }));
        }
      }
    }
  }
}

/** Nothing resolves from missing data (G6). */
function expectNothingResolvedFromMissingData(all: readonly Night[]): void {
  for (const [index, night] of all.entries()) {
    const before = toldOf(all[index - 1]);
    const after = toldOf(night);
    const sound = new Set(night.sources.filter(({ soundness }) => soundness === 'complete').map(({ name }) => name));
    for (const event of night.events.filter(({ phase, isBookkeeping }) => phase === 'over' && !isBookkeeping)) {
      // A row of a file that was changed is no missing data, nor is a source that was removed from the settings.
      const isRemoved = event.source !== undefined && !night.sources.some(({ name }) => name === event.source);
      if (event.kind.startsWith('exemption.') || (event.key.startsWith('source:') && isRemoved)) {
        continue;
      }
      const isKnown = [...before.values()].some((alert) => findSentKey(alert) === event.key);
      expect(isKnown, `${night.slot} ${event.key}`).toBe(true);
      if (event.kind === 'coverage.restored' || event.kind === 'device.overdue') {
        expect(sound.size).toBe(night.sources.length);
      } else if (event.kind !== 'deployment.drift') {
        expect(sound).toContain(event.source);
      }
      const device = night.devices.find((one) => one.source === event.source && one.facts.id === event.device?.id);
      if (event.kind === 'device.recovered') {
        expect(device?.judgement.status).toBe('Installed');
      }
      if (event.kind === 'count.left') {
        expect(device?.judgement.counted ?? false).toBe(false);
      }
    }
    // What was told of a source that gave nothing stays, or went along with a machine that turned up elsewhere.
    for (const { name } of night.sources.filter((source) => !sound.has(source.name))) {
      expect(told(night).filter(({ source, device }) => source === name && device)).toEqual([]);
      for (const [key, entry] of before) {
        if (!key.startsWith(`device:${name}/`) || after.has(key)) {
          continue;
        }
        const heirs = [...after.values()].filter((one) => !before.has(one.key) && sound.has(sourceOf(one.key)));
        const told = night.events.filter(({ phase, source }) => phase === 'over' && sound.has(source ?? ''));
        const takenOver = [...heirs, ...told].some(({ since }) => since === entry.since);
        const machine = night.devices.find((one) => matterOf(one) === key);
        expect(takenOver || machine?.judgement.excludedBecause === 'superseded', `${night.slot} ${key}`).toBe(true);
      }
    }
  }
}

/** A key has at most one event a night, and one an interval while nothing new can be said of it. */
function expectOneEventForEachKey(all: readonly Night[]): void {
  const last = new Map<string, AlertEvent>();
  const reminders = new Set<string>();
  for (const night of all) {
    const keys = night.events.map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    for (const event of night.events) {
      const before = last.get(event.key);
      last.set(event.key, event);
      if (before === undefined || before.phase === 'over' || event.phase === 'over' || event.isBookkeeping) {
        continue;
      }
      // A source that is not sound is said each night.
      if (event.key.startsWith('source:')) {
        expect(before.slot < event.slot).toBe(true);
        continue;
      }
      if (before.kind === event.kind && event.phase === 'again') {
        reminders.add(event.slot);
      } else if (before.kind === event.kind) {
        // Told for the first time once more: it was not remembered any longer, since it was over in silence.
        const between = all.filter(({ slot }) => slot >= before.slot && slot < event.slot);
        const isForgotten = between.some((one) => !toldOf(one).has(event.key));
        const isNews = event.kind === 'measurement.changed' || event.kind === 'count.cleaned-up';
        expect(isForgotten || isNews, `${event.slot} ${event.key}`).toBe(true);
      }
    }
  }
  // All reminders of a week are in one run.
  for (const [index, night] of [...reminders].sort().entries()) {
    const earlier = [...reminders].sort()[index - 1];
    expect(earlier === undefined ? 7 : countDaysBetween(earlier, night)).toBeGreaterThanOrEqual(7);
  }
}

/** What a subscriber has open is what is open, under the same keys (G17). */
function expectOpenAsSent(all: readonly Night[]): void {
  const open = new Set<string>();
  for (const night of all) {
    for (const { key, phase, kind, device } of night.events) {
      expect(kind === 'device.new-not-installed' && device?.status === 'Installed', `${night.slot} ${key}`).toBe(false);
      if (phase === 'over') {
        // Nothing ends that was never opened; a run that failed and what a kind of event says alone open elsewhere.
        expect(!key.startsWith('device:') || open.delete(key), `${night.slot} ${key}`).toBe(true);
        open.delete(key);
      } else {
        open.add(key);
      }
    }
    const sent = (night.state.told ?? []).filter(isSent).map(findSentKey);
    expect([...open].sort(), night.slot).toEqual(sent.sort());
  }
}

/** Without what only keeps keys right. */
function told({ events }: Night): AlertEvent[] {
  return events.filter(({ isBookkeeping }) => !isBookkeeping);
}

function sourceOf(key: string): string {
  return key.slice('device:'.length, key.lastIndexOf('/'));
}
