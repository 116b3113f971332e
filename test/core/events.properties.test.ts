/** Random histories of up to 60 nights: outages, broken instruments, breakers, machines that move, sources that come and go. */

import { expect, test } from 'vitest';
import type { AlertEvent } from '../../src/core/facts/alert-event.ts';
import type { Facts } from '../../src/core/facts/facts.ts';
import type { JudgedDevice, Night } from '../../src/core/facts/judged.ts';
import type { Entry } from '../../src/core/facts/ledger.ts';
import { countDaysBetween } from '../../src/core/time/calendar.ts';
import { isStanding } from '../../src/reports/document/devices.ts';
import { isDeep } from '../sampling.ts';
import { history, holdOver } from './fleets.ts';
import { at, judgeRuns } from './make-facts.ts';

test('each is reported, resolves nothing from missing data, and leaves open what is open (G4, G6, G17) [D9]', () =>
  // Each history is judged once and held to all of the rules, since judging takes most of the time.
  holdOver(
    history(60).map(withGrace),
    (all) => all,
    (all) => {
      const judged = judgeRuns(...all);
      expectEachOpensOnce(judged);
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

const indexOpenAlerts = (night: Night | undefined) =>
  new Map((night?.state.openAlerts ?? []).map((entry) => [entry.key, entry]));
const indexEntries = (night: Night | undefined) =>
  new Map((night?.state.ledger ?? []).map((entry) => [entry.name, entry]));

/** Enrolled less than three days ago, measured before a repair, or by an answer that is no news. */
function isHeldBack(device: JudgedDevice, before: Entry | undefined, after: Entry, night: Night): boolean {
  const { enrolledAt } = device.facts;
  const isInGrace = enrolledAt !== undefined && Date.parse(night.moment) - Date.parse(enrolledAt) < 72 * 3_600_000;
  return (
    isInGrace || device.judgement.isBeforeRepair || isOlderAnswer(device, before, night) || after.opensNoAlert === true
  );
}

/** Another record stands, which was heard from before the one that stood. */
function isOlderAnswer({ source, facts }: JudgedDevice, before: Entry | undefined, night: Night): boolean {
  if (before === undefined || before.isGone || (before.standing.source === source && before.standing.id === facts.id)) {
    return false;
  }
  const { standing } = before;
  const stood = night.devices.find((one) => one.source === standing.source && one.facts.id === standing.id);
  const heardAt = stood && stood.judgement.unread !== 'blank' ? stood.facts.lastSeenAt : standing.heardAt;
  return Date.parse(facts.lastSeenAt ?? '1900-01-01') < Date.parse(heardAt ?? '1900-01-01');
}

/** An alert opens exactly where an entry moves on to counted and Not Installed, and nothing holds it back (G4). */
function expectEachOpensOnce(all: readonly Night[]): void {
  for (const [index, night] of all.entries()) {
    const before = indexOpenAlerts(all[index - 1]);
    const after = indexOpenAlerts(night);
    const events = new Map(night.events.map((event) => [event.key, event]));
    const firsts = new Set(night.sources.filter(({ first }) => first).map(({ name }) => name));
    const entries = { before: indexEntries(all[index - 1]), after: indexEntries(night) };
    for (const device of night.devices.filter(isStanding)) {
      const entry = entries.after.get(device.machine);
      const key = `device:${device.machine}`;
      const alert = after.get(key);
      if (before.has(key) || alert?.kind === 'device.flapping') {
        continue;
      }
      const isWritten = entry !== undefined && entry.listedOn === night.slot;
      const isMissing = isWritten && entry.counted && entry.status === 'Not Installed';
      const isHeld = entry && isHeldBack(device, entries.before.get(device.machine), entry, night);
      const isDue = isMissing && !firsts.has(device.source) && !isHeld;
      expect(alert !== undefined, `${night.slot} ${key}`).toBe(isDue);
      expect(events.get(key)?.phase === 'first', `${night.slot} ${key}`).toBe(isDue);
    }
  }
}

/** Nothing resolves from missing data (G6). */
function expectNothingResolvedFromMissingData(all: readonly Night[]): void {
  for (const [index, night] of all.entries()) {
    const before = indexOpenAlerts(all[index - 1]);
    const after = indexOpenAlerts(night);
    const names = new Set(night.sources.map(({ name }) => name));
    const sound = new Set(night.sources.filter(({ soundness }) => soundness === 'complete').map(({ name }) => name));
    for (const event of night.events.filter(({ phase }) => phase === 'over')) {
      expect(before.has(event.key), `${night.slot} ${event.key}`).toBe(true);
      // A row of a file that was changed is no missing data, nor is a source that was removed from the settings.
      const isRemoved = event.source !== undefined && !names.has(event.source);
      if (event.kind.startsWith('exemption.') || (event.key.startsWith('source:') && isRemoved)) {
        continue;
      }
      if (event.kind === 'coverage.restored' || event.kind === 'device.overdue') {
        expect(sound.size).toBe(night.sources.length);
      } else if (event.kind !== 'deployment.drift' && !isRemoved) {
        expect(sound).toContain(event.source);
      }
    }
    expectEndedByLedger(night, all[index - 1]);
    // The alert about an entry that stays, and whose source is in the settings, stays.
    const [old, now] = [indexEntries(all[index - 1]), indexEntries(night)];
    for (const key of before.keys()) {
      const [was, is] = [old.get(key.slice('device:'.length)), now.get(key.slice('device:'.length))];
      if (was !== undefined && JSON.stringify(was) === JSON.stringify(is) && names.has(was.standing.source)) {
        expect(after.has(key), `${night.slot} ${key}`).toBe(true);
      }
    }
  }
}

/** An alert about a machine ends where its entry moved on, is gone, or is of a source that left. */
function expectEndedByLedger(night: Night, before: Night | undefined): void {
  const [old, now] = [indexEntries(before), indexEntries(night)];
  const names = new Set(night.sources.map(({ name }) => name));
  for (const { key, kind, phase } of night.events) {
    const name = key.slice('device:'.length);
    const [was, is] = [old.get(name), now.get(name)];
    if (!key.startsWith('device:') || phase !== 'over') {
      continue;
    }
    const isGone = is?.isGone === true && was?.isGone !== true;
    const isWritten = is?.listedOn === night.slot && !is.isGone;
    const hasLeft = is !== undefined && !names.has(is.standing.source);
    expect(isGone || isWritten || hasLeft, `${night.slot} ${key}`).toBe(true);
    expect(kind === 'device.recovered' && is?.status !== 'Installed', `${night.slot} ${key}`).toBe(false);
    expect(kind === 'count.left' && is?.counted && !isGone && !hasLeft, `${night.slot} ${key}`).toBe(false);
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
      if (before === undefined || before.phase === 'over' || event.phase === 'over' || event.phase === 'notice') {
        continue;
      }
      // A source that is not sound is reported in each run.
      if (event.key.startsWith('source:')) {
        expect(before.slot < event.slot).toBe(true);
        continue;
      }
      if (event.phase === 'again') {
        reminders.add(event.slot);
      } else {
        // A key that is open opens again only as another kind.
        expect(before.kind, `${event.slot} ${event.key}`).not.toBe(event.kind);
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
    for (const { key, phase, kind, device } of night.events.filter((event) => event.phase !== 'notice')) {
      expect(kind === 'device.new-not-installed' && device?.status === 'Installed', `${night.slot} ${key}`).toBe(false);
      if (phase === 'over') {
        expect(open.delete(key), `${night.slot} ${key}`).toBe(true);
      } else {
        open.add(key);
      }
    }
    const sent = (night.state.openAlerts ?? []).flatMap(({ key, isCounted }) => (isCounted ? [] : key));
    expect([...open].sort(), night.slot).toEqual(sent.sort());
  }
}
