/** Random fleets and histories for the property tests: small enough for collisions, wild enough for every rule. */
import * as fc from 'fast-check';
import type { ExemptionRow } from '../../src/core/facts/company.ts';
import type { Answer, DeviceFacts, Facts, SourceFacts } from '../../src/core/facts/facts.ts';
import { at, makeExemption, makeFacts, makeFinding, makeIncomplete, makeSource, slot } from './make-facts.ts';

/** Names that lose entries of a plain object. */
const poison = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'];
const ids = ['1', '2', '9', '10', '11', 'a', 'b', ...poison.slice(0, 3)];
const placeholders = ['', '0', 'Defaultstring', 'System Serial Number'];
const serials = ['C02S1', 'c02-s1 ', ' C02S2', 'C02S3', 'C02S4', ...placeholders, '__proto__'];
const words = ['Installed', 'Not Installed', ' Installed\n', 'installed', 'Installed 7.1', '', ' \t', 'constructor'];
const states = ['1', '2', '3', '4', '5', '-1', '99', ' 1 ', '01', '', 'toString'];
const managements = ['managed', 'managed', 'managed', 'discovered', 'retirePending', 'wipeFailed', 'deletePending'];

function maybe<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.option(arbitrary, { nil: undefined, freq: 6 });
}

/** A date some days before or after night 1: fresh ones, the boundary of 30 days, old and unknown ones. */
function date(): fc.Arbitrary<string | undefined> {
  const days = fc.constantFrom(-0.5, -0.5, -1, -1, -2, -5, -29, -30, -31, -60, 1);
  return maybe(fc.tuple(days, fc.constantFrom(0, 0, 1, -1)).map(([whole, one]) => at(1, whole, one)));
}

function defined<T extends object>(record: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as never;
}

function macArbitrary(): fc.Arbitrary<DeviceFacts> {
  return fc
    .record({
      id: fc.constantFrom(...ids),
      name: maybe(fc.constantFrom('mac', 'other', ...poison)),
      serialNumber: maybe(fc.constantFrom(...serials)),
      reportedAt: date(),
      lastSeenAt: date(),
      enrolledAt: date(),
      managementState: fc.constantFrom('managed', 'managed', 'managed', 'unmanaged'),
      value: maybe(fc.constantFrom(...words)),
    })
    .map(({ value, ...device }) => {
      const answers = value === undefined ? [] : [defined({ value, at: device.reportedAt })];
      return { ...defined({ ...device, operatingSystem: 'macos' }), answers } as DeviceFacts;
    });
}

function pcArbitrary(): fc.Arbitrary<DeviceFacts> {
  const answer = fc.record({ value: fc.constantFrom(...states), at: date() }).map(defined) as fc.Arbitrary<Answer>;
  return fc
    .record({
      id: fc.constantFrom(...ids),
      name: maybe(fc.constantFrom('pc', 'other', ...poison)),
      serialNumber: maybe(fc.constantFrom(...serials)),
      user: maybe(fc.constantFrom('ada', 'bob', '__proto__')),
      lastSeenAt: date(),
      enrolledAt: date(),
      managementState: maybe(fc.constantFrom(...managements)),
      managementAgent: maybe(fc.constantFrom('mdm', 'mdm', 'mdm', 'msSense')),
      ownership: maybe(fc.constantFrom('company', 'personal')),
      answers: fc.array(answer, { maxLength: 3 }),
    })
    .map((device) => defined({ ...device, operatingSystem: 'windows' }) as DeviceFacts);
}

function sourceArbitrary(name: string): fc.Arbitrary<SourceFacts> {
  const one = name.startsWith('mac') ? macArbitrary() : pcArbitrary();
  const devices = fc.uniqueArray(one, { selector: ({ id }) => id, maxLength: 8 });
  const weather = fc.constantFrom('well', 'well', 'well', 'well', 'well', 'down', 'broken', 'unreadable');
  const population = fc.constantFrom('all', 'all', 'company');
  return fc.tuple(devices, weather, population).map(([rows, luck, counted]) => {
    if (luck === 'down') {
      return makeIncomplete(name, rows.slice(0, 1));
    }
    const findings = luck === 'well' ? [makeFinding('pass')] : [makeFinding(luck === 'broken' ? 'fail' : 'unknown')];
    const groups = [
      { holds: 'Installed' as const, name: 'Agent Installed', members: rows.slice(1).map(({ id }) => id) },
    ];
    return makeSource(name, rows, {
      findings,
      population: counted as 'all' | 'company',
      ...(name === 'macs' ? { groups } : {}),
    });
  });
}

function exemptionArbitrary(): fc.Arbitrary<ExemptionRow> {
  return fc
    .record({
      match: fc.constantFrom('serial', 'device_id', 'device_name', 'user'),
      value: fc.constantFrom('C02S3', '2', 'mac', 'pc', 'ada', '__proto__', '10'),
      source: fc.constantFrom('', 'macs', 'windows', 'windows-2'),
      owner: fc.constantFrom('it', 'it', 'it', ''),
      expires: fc.constantFrom(slot(2), slot(5), slot(40), 'soon'),
    })
    .map(({ match, value, ...rest }) => makeExemption(match, value, rest));
}

function nightArbitrary(): fc.Arbitrary<Facts> {
  const sources = fc
    .tuple(
      sourceArbitrary('macs'),
      fc.option(sourceArbitrary('macs-2'), { nil: undefined, freq: 3 }),
      sourceArbitrary('windows'),
      fc.option(sourceArbitrary('windows-2'), { nil: undefined, freq: 3 }),
    )
    .map((all) => all.filter((one) => one !== undefined));
  const limits = fc.record({
    maximumFleetDropPercent: fc.constantFrom(20, 50, 100),
    maximumFlipPercent: fc.constantFrom(20, 50, 100),
    minimumDevices: fc.constantFrom(1, 2, 4, 10),
  });
  return fc
    .record({
      sources,
      breaker: limits,
      maximumAge: fc.constantFrom(undefined, 10),
      accepted: fc.constantFrom(false, false, true),
      exemptions: fc.array(exemptionArbitrary(), { maxLength: 2 }),
    })
    .map(({ sources: all, breaker, maximumAge, accepted, exemptions }) => {
      const base = makeFacts(1, { sources: all, exemptions });
      const policy = {
        ...base.policy,
        breaker,
        ...(maximumAge === undefined ? {} : { windowsStateMaxAgeDays: maximumAge }),
      };
      const word = { by: 'ada', at: at(1), sources: all.map(({ name }) => name) };
      return { ...base, policy, ...(accepted ? { accepted: word } : {}) };
    });
}

/**
 * Nights in a row. Each device of a night is drawn anew in half of the cases and kept as it was in the other, so that
 * fleets have both a life and a memory; ids and serial numbers are few, so machines come back under other ids.
 */
export function history(maximumNights: number): fc.Arbitrary<Facts[]> {
  return fc
    .tuple(
      fc.array(nightArbitrary(), { minLength: 1, maxLength: maximumNights, size: 'max' }),
      fc.array(fc.nat({ max: 3 }), { minLength: 7, maxLength: 7 }),
    )
    .map(([all, keep]) => lived(all, keep));
}

function lived(drawn: readonly Facts[], keep: readonly number[]): Facts[] {
  const nights: Facts[] = [];
  for (const [index, night] of drawn.entries()) {
    const before = nights.at(-1);
    const sources = night.sources.map((one, place) => {
      const old = before?.sources.find(({ name }) => name === one.name)?.devices ?? [];
      const stays = old.filter((_, number) => (keep[(number + place + index) % keep.length] ?? 0) > 0);
      const fresh = one.devices
        .filter(({ id }) => !stays.some((device) => device.id === id))
        .slice(0, Math.max(1, 8 - stays.length));
      return { ...one, devices: [...stays, ...fresh.map((device) => moved(device, index))] };
    });
    nights.push({ ...night, slot: slot(index + 1), moment: at(index + 1), sources });
  }
  return nights;
}

/** What was drawn for night 1, some nights later. */
function moved(device: DeviceFacts, nights: number): DeviceFacts {
  const later = (date: string | undefined) => date && new Date(Date.parse(date) + nights * 86_400_000).toISOString();
  const { reportedAt, lastSeenAt, answers } = device;
  const dates = { reportedAt: later(reportedAt), lastSeenAt: later(lastSeenAt) };
  return defined({
    ...device,
    ...dates,
    answers: answers.map((answer) => defined({ ...answer, at: later(answer.at) })),
  });
}

/**
 * Holds a property over random histories. A failure shows its seed and the smallest history; FC_SEED repeats it, or
 * tries others.
 */
export async function holdOver<Drawn>(
  drawn: fc.Arbitrary<Drawn>,
  toNights: (drawn: Drawn) => readonly Facts[],
  property: (drawn: Drawn) => void | Promise<void>,
  parameters: { readonly seed: number; readonly numRuns: number; readonly endOnFailure?: boolean },
): Promise<void> {
  const seed = Number(process.env.FC_SEED ?? parameters.seed);
  const checked = fc.asyncProperty(drawn, async (one) => property(one));
  const { failed, counterexample, errorInstance } = await fc.check(checked, { ...parameters, seed });
  if (failed) {
    const [smallest] = counterexample ?? [];
    throw new Error(`seed ${seed}\n${smallest === undefined ? '' : sketch(toNights(smallest))}`, {
      cause: errorInstance,
    });
  }
}

/** A history in few lines, for the message of a failure. */
function sketch(nights: readonly Facts[]): string {
  return nights
    .map(({ slot: date, policy, accepted, exemptions, sources }) => {
      const head = `${date} ${JSON.stringify({ ...policy.breaker, age: policy.windowsStateMaxAgeDays, accepted: accepted !== undefined })}`;
      const excused = exemptions.map((row) => `  exempt ${JSON.stringify(row)}`);
      const told = sources.flatMap(({ name, reading, findings, population, devices }) => [
        `  ${name} ${reading} ${findings[0]?.result ?? ''} ${population ?? ''}`,
        ...devices.map((device) => `    ${JSON.stringify(device)}`),
      ]);
      return [head, ...excused, ...told].join('\n');
    })
    .join('\n');
}

/** Every list of a night's facts whose order must not matter, in another order. */
export function shuffled(night: Facts, seed: number): Facts {
  const mix = <T>(items: readonly T[]): T[] => {
    const keyed = items.map((item, index) => ({ item, key: Math.imul(seed + index, 2654435761) >>> 0 }));
    return keyed.sort((left, right) => left.key - right.key).map(({ item }) => item);
  };
  const sources = mix(night.sources).map((one) => ({
    ...one,
    devices: mix(one.devices).map((device) => ({ ...device, answers: mix(device.answers) })),
    groups: mix(one.groups).map((group) => (group.members ? { ...group, members: mix(group.members) } : group)),
  }));
  return { ...night, sources };
}
