/** A made-up company with a life of its own, judged night by night: data for the reports' tests, figures and pictures. */
import type { ExemptionRow } from '../../src/core/facts/company.ts';
import type { Answer, CheckResult, DeviceFacts, Facts, GroupFacts, SourceFacts } from '../../src/core/facts/facts.ts';
import type { Night } from '../../src/core/facts/judged.ts';
import { compareCodePoints } from '../../src/core/text/order.ts';
import { type JudgedFacts, judgeAfter } from '../judge-after.ts';

export interface FleetOptions {
  readonly devices: number;
  /** How many in a hundred lack the agent. */
  readonly missing?: number;
  readonly nights?: number;
  readonly exemptions?: readonly ExemptionRow[];
  /** What happens to the facts of a night, counted from 1. */
  readonly happens?: (facts: Facts, night: number) => Facts | undefined;
  readonly staleAfterDays?: number;
}

const day = 86_400_000;
const lastMoment = Date.parse('2026-11-20T05:15:00Z');
const given = ['Alva', 'Boro', 'Celia', 'Dario', 'Edda', 'Falk', 'Gesa', 'Hanno', 'Ilka', 'Jarne', 'Kira', 'Lasse'];
const family = ['Ahrend', 'Birk', 'Corven', 'Dahlin', 'Esker', 'Fennel', 'Grove', 'Holt', 'Ibsen', 'Jordal', 'Kern'];
const letters = 'BCDFGHJKLMNPQRSTVWXYZ0123456789';
const macModels = [
  'MacBook Air (M2, 2022)',
  'MacBook Pro (14-inch, M3, 2023)',
  'Mac mini (2023)',
  'MacBook Pro (16-inch, 2021)',
];
const pcModels = ['Latitude 7440', 'ThinkPad T14s Gen 4', 'EliteBook 840 G10', 'Surface Laptop 5', 'OptiPlex 7010'];
const macSystems = ['15.7.1', '15.6.1', '26.1.0', '26.0.1', '14.8.1'];
const pcSystems = ['10.0.26100.6899', '10.0.22631.6060', '10.0.22631.5909', '10.0.26200.7019'];

/** The same numbers every time: a hash of where and for what. */
function draw(...parts: readonly number[]): number {
  let hash = 0x811c9dc5;
  for (const part of parts) {
    hash = Math.imul((hash ^ part) >>> 0, 0x01000193) ^ (hash >>> 13);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const share = (...parts: readonly number[]) => draw(...parts) / 2 ** 32;

function pick(choices: readonly string[], ...parts: readonly number[]): string {
  return choices[draw(...parts) % choices.length] ?? '';
}

function text(length: number, alphabet: string, ...parts: readonly number[]): string {
  return Array.from({ length }, (_, place) => alphabet[draw(...parts, place) % alphabet.length]).join('');
}

function guid(...parts: readonly number[]): string {
  const hex = text(32, '0123456789abcdef', ...parts, 77);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** What a machine is for all its life, and on one night. */
function machineOf(index: number, night: number, moment: number, missing: number): DeviceFacts | undefined {
  const isMac = index % 2 === 0;
  const seed = index + 1;
  if (share(seed, 3) < 0.012 && night < draw(seed, 4) % 60) {
    return undefined;
  }
  if (share(seed, 5) < 0.01 && night > draw(seed, 6) % 60) {
    return undefined;
  }
  const silentSince = share(seed, 7) < 0.03 ? draw(seed, 8) % 70 : undefined;
  const silentDays = silentSince === undefined ? 0 : Math.max(0, night - silentSince) + (share(seed, 9) < 0.5 ? 40 : 0);
  const seen = moment - silentDays * day - Math.floor(share(seed, night - silentDays, 10) * day * 1.5);
  const reported = seen - Math.floor(share(seed, 11) * 5 * 3_600_000);
  const word = wordOf(seed, night - silentDays, missing, isMac);
  const first = pick(given, seed, 12);
  const last = pick(family, seed, 13);
  const common = {
    operatingSystem: isMac ? 'macos' : 'windows',
    serialNumber: isMac ? text(10, letters, seed, 14) : text(7, letters, seed, 15),
    user: `${first}.${last}${draw(seed, 16) % 90}@example.com`.toLowerCase(),
    lastSeenAt: iso(seen),
    enrolledAt: iso(lastMoment - (30 + Math.floor(share(seed, 17) * 1200)) * day - (draw(seed, 18) % 86_400) * 1000),
  };
  if (isMac) {
    const answers: Answer[] = word === undefined ? [] : [{ value: word, at: iso(reported) }];
    const managementState = share(seed, 19) < 0.02 ? 'unmanaged' : 'managed';
    const name = share(seed, 20) < 0.4 ? `${first}’s MacBook Pro` : `MAC-${text(6, letters, seed, 21)}`;
    const kind = { osVersion: pick(macSystems, seed, 22), model: pick(macModels, seed, 23) };
    return { id: String(index + 1), name, ...common, ...kind, reportedAt: iso(reported), managementState, answers };
  }
  const answers: Answer[] = word === undefined ? [] : [{ value: word, at: iso(reported - 3 * day), ...detailOf(word) }];
  const managementState = share(seed, 24) < 0.01 ? 'retirePending' : 'managed';
  const managementAgent = share(seed, 25) < 0.01 ? 'msSense' : 'mdm';
  const name = `${pick(['DESKTOP', 'LAPTOP', 'WS'], seed, 26)}-${text(7, letters, seed, 27)}`;
  const kind = { osVersion: pick(pcSystems, seed, 28), model: pick(pcModels, seed, 29), ownership: 'company' };
  return { id: guid(seed), name, ...common, ...kind, managementState, managementAgent, answers };
}

function detailOf(word: string): { detail?: string } {
  return word === '2' ? { detail: '0x87D1041C: not detected after the installation finished' } : {};
}

function wordOf(seed: number, night: number, missing: number, isMac: boolean): string | undefined {
  // A few in a thousand change their mind every ten days or so.
  const mood = share(seed, 30) < 0.04 ? Math.floor((night + (draw(seed, 31) % 10)) / 10) : 0;
  const lacks = share(seed, 32, mood) < missing / 100;
  if (!lacks) {
    return isMac ? 'Installed' : '1';
  }
  const kind = share(seed, 33);
  if (kind < 0.12) {
    return undefined;
  }
  if (isMac) {
    return kind < 0.17 ? 'installed (old agent)' : 'Not Installed';
  }
  return kind < 0.3 ? '2' : kind < 0.4 ? '5' : kind < 0.46 ? '-1' : '3';
}

const iso = (time: number) => new Date(Math.floor(time / 1000) * 1000).toISOString().replace('.000Z', 'Z');

function finding(check: string, expected: string, changes: Partial<CheckResult> = {}): CheckResult {
  return { check, result: 'pass', expected, found: expected, advice: '', instrument: true, ...changes };
}

const jamfFindings = [
  finding('jamf-attribute', 'one enabled text attribute with the documented script'),
  finding('jamf-groups', 'two smart groups with the documented criteria', { instrument: false }),
  finding('jamf-policy', 'policy “Deploy endpoint agent” runs at check-in', {
    instrument: false,
    result: 'not-checked',
    found: '',
  }),
];
const intuneFindings = [
  finding('intune-app', 'a Windows app with the documented detection rule'),
  finding('intune-assignment', 'available to the included groups', {
    instrument: false,
    result: 'fail',
    found: 'required for All Devices',
    advice: 'Make the app available, not required, to the included groups.',
  }),
];

function sourceOf(name: string, platform: string, devices: readonly DeviceFacts[], moment: number): SourceFacts {
  const isMac = platform === 'macos';
  const sorted = [...devices].sort((left, right) => compareCodePoints(left.id, right.id));
  const started = new Date(moment + 4_000).toISOString();
  const answered = sorted.reduce((sum, device) => sum + device.answers.length, 0);
  return {
    ...{ name, kind: isMac ? 'jamf' : 'intune', reading: 'complete', devices: sorted },
    receipt: {
      ...{ claimed: sorted.length, received: sorted.length, pages: Math.max(1, Math.ceil(sorted.length / 100)) },
      ...{ walks: 1, retries: 0, started, ended: new Date(moment + 61_000).toISOString() },
      ...(sorted[0] ? { firstId: sorted[0].id, lastId: sorted.at(-1)?.id ?? '' } : {}),
      ...(isMac ? {} : { answersClaimed: answered, answersReceived: answered, overview: sorted.length }),
    },
    instrument: { id: isMac ? '7' : guid(424242), fingerprint: text(64, '0123456789abcdef', isMac ? 1 : 2) },
    findings: isMac ? jamfFindings : intuneFindings,
    groups: isMac ? platformGroups(sorted) : [],
  };
}

/** What the two smart groups hold, less one that the server has not recalculated. */
function platformGroups(devices: readonly DeviceFacts[]): GroupFacts[] {
  return (['Installed', 'Not Installed'] as const).map((holds) => {
    const fits = devices.filter((device) => device.managementState === 'managed' && device.answers[0]?.value === holds);
    const members = fits.filter((_, place) => place !== 3).map((device) => device.id);
    return { holds, name: `Agent ${holds}`, members };
  });
}

export function factsOf(options: FleetOptions, night: number): Facts {
  const nights = options.nights ?? 3;
  const moment = lastMoment - (nights - night) * day;
  const machines = Array.from({ length: options.devices }, (_, index) =>
    machineOf(index, night + 60 - nights, moment, options.missing ?? 5),
  );
  const of = (rest: number) => machines.filter((machine, index) => index % 2 === rest && machine !== undefined);
  return {
    schema: 5,
    muster: '0.1.0',
    slot: new Date(moment).toISOString().slice(0, 10),
    moment: new Date(moment).toISOString(),
    agent: 'Endpoint agent',
    policy: {
      staleAfterDays: options.staleAfterDays ?? 30,
      windowsRepairDays: 30,
      graceHours: 72,
      overdueAfterDays: 14,
      breaker: { maximumFleetDropPercent: 20, maximumFlipPercent: 20, minimumDevices: 10 },
    },
    exemptions: options.exemptions ?? [],
    keptNights: 400,
    sources: [
      sourceOf('macs', 'macos', of(0) as DeviceFacts[], moment),
      sourceOf('windows', 'windows', of(1) as DeviceFacts[], moment),
    ],
  };
}

/** The last of the nights; a night for which `happens` gives nothing did not take place. */
export function nightOf(options: FleetOptions): Night {
  const nights = options.nights ?? 3;
  let last: JudgedFacts | undefined;
  for (let night = 1; night <= nights; night += 1) {
    const plain = factsOf(options, night);
    const facts = options.happens ? options.happens(plain, night) : plain;
    if (facts === undefined) {
      continue;
    }
    last = judgeAfter(facts, last);
  }
  if (last === undefined) {
    throw new Error('no night took place');
  }
  return last.night;
}
