/** Random histories: a few sources, machines and people over some nights, small enough for every kind of collision. */

import { omitUndefined } from '../../src/base/omit-undefined.ts';
import type { Canary, ExemptionRow, Policy } from '../../src/core/facts/company.ts';
import type { Facts, SourceFacts } from '../../src/core/facts/facts.ts';
import { listDevices, liveOneNight, makeFleet } from './generate-devices.ts';
import { makeLists } from './generate-lists.ts';
import type { Fleet } from './generate-records.ts';
import { liveOn, makeSourceLife, readSource, type SourceLife } from './generate-sources.ts';
import { makeRandom, type Random } from './random.ts';
import { compareText, day } from './rows.ts';

/**
 * The attempts at one slot, in order, and of each whether it was published: the last of those stands. `isAccepted`: a
 * person accepts it where it is suspect.
 */
export interface Step {
  attempts: Facts[];
  isPublished: boolean[];
  isAccepted: boolean;
}

export type History = Step[];

interface Company {
  fleet: Fleet;
  lives: Map<string, SourceLife>;
  population: Map<string, 'all' | 'company'>;
  policy: Policy;
  exemptions: ExemptionRow[];
  canaries: Canary[];
  /** The people of `user` rows are left out of the facts. */
  omitsUsers: boolean;
  sources: string[];
  listChances: Random;
}

const first = Date.parse('2026-06-01T05:15:00Z');

/** Days from one run to the next: of a schedule that is seldom missed, and of one with pauses of weeks and months. */
const stepsOfYear = [...Array<number>(24).fill(1), 2];
const stepsOfHistory = [1, 1, 1, 1, 1, 1, 1, 2, 4, 8, 29, 30, 31];
const longPauses = [90, 200, 399, 400, 401];

const sourcesOfHistories = [
  ...[['macs'], ['pcs'], ['hosts'], ['macs', 'macs-two'], ['macs', 'pcs'], ['macs', 'pcs', 'pcs-two']],
  ...[
    ['hosts', 'macs', 'pcs'],
    ['hosts', 'macs', 'macs-two'],
    ['hosts', 'hosts-two', 'pcs', 'pcs-two'],
  ],
];

/** Some nights, days or weeks apart; or, with `nights`, so many in a row, of which few are missed. */
export function generateHistory(seed: number, nights?: number): History {
  const random = makeRandom(seed);
  const sources = random.pick(sourcesOfHistories);
  let moment = first;
  const company: Company = {
    sources,
    fleet: makeFleet(random, sources, moment),
    lives: new Map(sources.map((name) => [name, makeSourceLife(random)])),
    population: new Map(sources.map((name) => [name, 'all' as const])),
    policy: makePolicy(random),
    exemptions: [],
    canaries: [],
    omitsUsers: random.chance(0.2),
    listChances: makeRandom(seed + 1_000_003),
  };
  const history: History = [];
  for (let night = nights ?? random.between(2, 12); night > 0; night -= 1) {
    for (const life of company.lives.values()) {
      liveOn(random, life);
    }
    history.push(makeStep(random, company, moment));
    const steps = random.chance(0.03) ? longPauses : stepsOfHistory;
    moment += random.pick(nights === undefined ? steps : stepsOfYear) * day;
    liveOneNight(random, company.fleet, moment);
    changeSettings(random, company, moment);
  }
  return history;
}

function makePolicy(random: Random): Policy {
  return omitUndefined({
    staleAfterDays: random.pick([30, 30, 30, 7]),
    windowsStateMaxAgeDays: random.pick([undefined, undefined, 20]),
    windowsRepairDays: random.pick([30, 30, 3]),
    graceHours: 72,
    overdueAfterDays: 14,
    breaker: {
      maximumFleetDropPercent: random.pick([20, 25, 50]),
      maximumFlipPercent: random.pick([20, 50]),
      minimumDevices: random.pick([1, 2, 3, 100]),
    },
  });
}

function changeSettings(random: Random, company: Company, moment: number): void {
  if (random.chance(0.05)) {
    company.policy = makePolicy(random);
  }
  for (const name of company.sources.filter((one) => one.startsWith('pcs'))) {
    if (random.chance(0.2)) {
      company.population.set(name, random.pick(['all', 'company']));
    }
  }
  company.exemptions = company.exemptions.filter(() => random.chance(0.9));
  if (random.chance(0.3)) {
    company.exemptions.push(makeExemption(random, company, moment));
  }
  company.canaries = company.canaries.filter(() => random.chance(0.8));
  if (random.chance(0.1)) {
    const source = random.pick(company.sources);
    const device = random.pick([...company.fleet.records.filter((record) => record.source === source), undefined]);
    const serial = device?.serialNumber ?? 'C02CANARY1';
    company.canaries.push({
      source,
      serial: random.pick([serial, serial.toLowerCase()]),
      expect: random.pick(['Installed', 'Not Installed']),
    });
  }
}

function makeExemption(random: Random, { fleet, sources }: Company, moment: number): ExemptionRow {
  const match = random.pick(['serial', 'device_id', 'device_name', 'user']);
  const device = random.chance(0.9) ? random.pick(fleet.records) : undefined;
  const values = { serial: device?.serialNumber, device_id: device?.id, device_name: device?.name, user: device?.user };
  const needsSource = match === 'device_name' || match === 'user';
  return {
    match: random.chance(0.03) ? 'nonsense' : match,
    value: values[match as keyof typeof values] ?? 'NOBODY123',
    source: random.chance(needsSource ? 0.95 : 0.4) ? (device?.source ?? random.pick(sources)) : '',
    reason: random.chance(0.03) ? '' : 'lab',
    owner: random.chance(0.03) ? '' : `owner-${random.between(1, 1_000_000)}`,
    expires: random.chance(0.03)
      ? 'soon'
      : new Date(moment + random.pick([-1, 0, 2, 13, 14, 15, 60]) * day).toISOString().slice(0, 10),
  };
}

function makeStep(random: Random, company: Company, moment: number): Step {
  const attempts: Facts[] = [];
  const present = company.sources.filter((name) => company.lives.get(name)?.isInSettings);
  const names = present.length === 0 ? company.sources : present;
  const count = random.chance(0.2) ? 2 : 1;
  let earlier: Facts | undefined;
  for (let attempt = 1; attempt <= count; attempt += 1) {
    const isLast = attempt === count;
    const late = (attempt - 1) * 2 + random.pick([0, 0.1, 0.1, 5]);
    const sources = [...names].sort(compareText).map((name): SourceFacts => {
      const before = earlier?.sources.find((source) => source.name === name);
      // A source that was complete is not asked again.
      if (before !== undefined && before.reading === 'complete' && random.chance(0.3)) {
        return before;
      }
      const life = company.lives.get(name) ?? makeSourceLife(random);
      const devices = listDevices(company.fleet, name);
      return readSource(random, {
        name,
        life,
        devices,
        population: company.population.get(name),
        moment,
        late,
        isLast,
      });
    });
    const facts = addLists(company, makeFacts(company, moment, sources), moment);
    attempts.push(facts);
    earlier = facts;
  }
  // The second of two is more complete, or is not published; or nobody published the first.
  const isPublished =
    count === 1
      ? [true]
      : random.pick([
          [true, true],
          [true, true],
          [true, false],
          [false, true],
        ]);
  return { attempts, isPublished, isAccepted: random.chance(0.4) };
}

/** Chances of their own, so that the rest of a history stays as it was before there were lists. */
function addLists({ fleet, listChances: random }: Company, facts: Facts, moment: number): Facts {
  const lists = makeLists(random, fleet.records, moment);
  const reportingWithinDays = lists?.reporting && 7;
  return {
    ...facts,
    policy: { ...facts.policy, ...omitUndefined({ reportingWithinDays }) },
    ...omitUndefined({ lists }),
  };
}

function makeFacts(company: Company, moment: number, sources: SourceFacts[]): Facts {
  const { policy, omitsUsers, canaries } = company;
  // Where users are left out, a row by user is refused before a run.
  const exemptions = company.exemptions.filter(({ match }) => !(omitsUsers && match === 'user'));
  const shown = omitsUsers ? sources.map(dropUsers) : sources;
  return {
    schema: 5,
    muster: '0.0.0-test',
    slot: new Date(moment).toISOString().slice(0, 10),
    moment: new Date(moment).toISOString(),
    agent: 'Endpoint agent',
    policy,
    exemptions,
    ...(canaries.length === 0 ? {} : { canaries: [...canaries] }),
    keptNights: 400,
    sources: shown,
  };
}

function dropUsers(source: SourceFacts): SourceFacts {
  return { ...source, devices: source.devices.map(({ user: _user, ...device }) => device) };
}
