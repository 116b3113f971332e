/**
 * The rules of a night once more, written from the design alone: every step looks at everything, nothing is indexed,
 * nothing is shared with the product but the shapes of facts. Slow and plain on purpose; the property tests hold the
 * product to it.
 */
import type { Answer, DeviceFacts, Facts, SourceFacts } from '../../src/core/facts.ts';

export interface Row {
  source: string;
  platform: string;
  facts: DeviceFacts;
  status: string;
  reason: string;
  provable: boolean;
  proven: boolean;
  stale: boolean;
  replaced: boolean;
  excluded: string;
  since: string;
  answeredOn: string;
}
type Known = Row & { leftOn?: string };
interface Parent {
  known: Known;
  away: boolean;
}
interface SourceMemory {
  baseline?: { slot: string; rows: Known[] };
  departed: Known[];
  untrusted: boolean;
  soundAgainAt: string;
  held: [id: string, since: string][];
}
export type Memory = Map<string, SourceMemory>;
export interface Expected {
  rows: Row[];
  soundness: [source: string, word: string][];
  changes: string[];
  figures: Map<string, { counted: number; before: number | undefined; joined: number; left: number }>;
  memory: Memory;
}

const macos: [string, string, string, boolean][] = [
  ['Installed', 'Installed', 'reported', true],
  ['Not Installed', 'Not Installed', 'reported', true],
  ['', 'Not Installed', 'never-reported', false],
];
const windows: [string, string, string, boolean][] = [
  ['1', 'Installed', 'reported', true],
  ['4', 'Installed', 'uninstall-failed', false],
  ['3', 'Not Installed', 'reported', true],
  ['2', 'Not Installed', 'install-failed', true],
  ['5', 'Not Installed', 'install-pending', true],
  ['-1', 'Not Installed', 'not-applicable', false],
];
const retiring = ['retirePending', 'retireIssued', 'wipePending', 'wipeIssued', 'deletePending'];
const placeholders = ['', '0', 'system serial number', 'to be filled by o.e.m.', 'default string'];
const time = (date: string | undefined) => (date === undefined ? Number.NEGATIVE_INFINITY : Date.parse(date));
const dateOf = (row: { platform: string; facts: DeviceFacts }) =>
  row.platform === 'macos' ? row.facts.reportedAt : row.facts.lastSeenAt;
const serialOf = (row: Row) => (row.facts.serialNumber ?? '').trim().toLowerCase();
const isSame = (left: Row, right: Row) => left.source === right.source && left.facts.id === right.facts.id;
const isCounted = (row: Row) => row.excluded === '';
const idRank = (id: string) => (/^\d+$/.test(id) ? id.padStart(20, '0') : `~${id}`);

function isOneMachine(left: Row, right: Row): boolean {
  return (
    left.platform === right.platform && serialOf(left) === serialOf(right) && !placeholders.includes(serialOf(left))
  );
}

function meaningOf(platform: string, answer: Answer): [string, string, boolean] {
  const word = answer.value.trim();
  const known = (platform === 'macos' ? macos : windows).find(([text]) => text === word);
  if (known) {
    return [known[1], known[2], known[3]];
  }
  return ['Not Installed', platform === 'macos' ? 'unrecognised-value' : 'state-unknown', false];
}

function verdictOf(platform: string, answers: readonly Answer[], facts: Facts): [string, string, boolean] {
  const strong = ['1', '4'].find(
    (word) => platform === 'windows' && answers.some(({ value }) => value.trim() === word),
  );
  const running = answers.filter(({ value }) => strong === undefined || value.trim() === strong);
  const [winner] = running.sort((a, b) => {
    const later = time(b.at) === time(a.at) ? 0 : time(b.at) - time(a.at);
    return later || (a.value < b.value ? -1 : 1);
  });
  if (winner === undefined) {
    return ['Not Installed', 'never-reported', false];
  }
  const [status, reason, provable] = meaningOf(platform, winner);
  const isContradicted = answers.some((a) => time(a.at) > time(winner.at) && meaningOf(platform, a)[0] !== status);
  const limit = platform === 'windows' ? facts.policy.windowsStateMaxAgeDays : undefined;
  const isOld = limit !== undefined && time(facts.moment) - time(winner.at) > limit * 86_400_000;
  return [status, reason, provable && !isContradicted && !isOld];
}

function ownReason(source: SourceFacts, device: DeviceFacts): string {
  if (source.kind === 'jamf') {
    return device.managementState === 'unmanaged' ? 'unmanaged' : '';
  }
  if (device.managementState === 'discovered') {
    return 'unmanaged';
  }
  if (retiring.includes(device.managementState ?? '')) {
    return 'retiring';
  }
  if (['msSense', 'configurationManagerClient'].includes(device.managementAgent ?? '')) {
    return 'not-manageable';
  }
  return source.population === 'company' && device.ownership === 'personal' ? 'personal' : '';
}

function isNewer(left: Row, right: Row): boolean {
  const [one, other] = [time(dateOf(left)), time(dateOf(right))];
  if (one !== other) {
    return one > other;
  }
  const [id, otherId] = [idRank(left.facts.id), idRank(right.facts.id)];
  return id === otherId ? left.source > right.source : id > otherId;
}

function rowOf(source: SourceFacts, device: DeviceFacts, facts: Facts, answeredOn: string): Row {
  const { name } = source;
  const { platform } = device;
  const [status, reason, provable] = verdictOf(platform, [...device.answers], facts);
  const stale = !(
    time(facts.moment) - time(dateOf({ platform, facts: device })) <=
    facts.policy.staleAfterDays * 86_400_000
  );
  const row = { source: name, platform, facts: device, status, reason, provable, stale, answeredOn };
  return { ...row, proven: false, replaced: false, excluded: ownReason(source, device), since: '' };
}

function exempts(row: Facts['exemptions'][number], rows: Row[], slot: string): Row[] {
  const fields: [string, (r: Row) => string | undefined][] = [
    ['serial', (r) => r.facts.serialNumber],
    ['device_id', (r) => r.facts.id],
    ['device_name', (r) => r.facts.name],
    ['user', (r) => r.facts.user],
  ];
  const field = fields.find(([match]) => match === row.match)?.[1];
  const isPersonal = row.match === 'device_name' || row.match === 'user';
  if (!field || row.owner === '' || row.reason === '' || (isPersonal && row.source === '')) {
    return [];
  }
  if (!/^\d{4}-\d\d-\d\d$/.test(row.expires) || slot > row.expires) {
    return [];
  }
  const fits = rows.filter((r) => field(r) === row.value && (row.source === '' || row.source === r.source));
  return isPersonal && fits.length > 1 ? [] : fits;
}

/** What each row of tonight was before: the same id, or one of the same machine that is gone, replaced or departed. */
function parentsOf(rows: Row[], facts: Facts, memory: Memory): { parents: Map<Row, Parent>; retold: Known[] } {
  const parents = new Map<Row, Parent>();
  const pool: Parent[] = [];
  const isFresh = (name: string) => facts.sources.every((s) => s.name !== name || s.reading === 'complete');
  for (const [name, { baseline, departed }] of memory) {
    for (const known of baseline?.rows ?? []) {
      const now = rows.find((row) => isSame(row, known));
      if (now) {
        parents.set(now, { known, away: false });
      }
      if (now ? now.replaced : isFresh(name)) {
        pool.push({ known, away: false });
      }
    }
    pool.push(...departed.map((known) => ({ known, away: true })));
  }
  const taken: Parent[] = [];
  const newcomers = rows.filter((row) => !parents.has(row));
  const order = (row: Row) => [isCounted(row) ? 0 : 1, row.source, row.facts.id].join('\u0000');
  for (const row of newcomers.sort((a, b) => (order(a) < order(b) ? -1 : 1))) {
    const rank = ({ known, away }: Parent) =>
      [
        away ? 0 : 1,
        isCounted(known) ? 1 : 0,
        isSame(known, row) ? 1 : 0,
        known.leftOn ?? '',
        known.source === row.source ? 1 : 0,
        idRank(known.facts.id),
        known.source,
      ].join('\u0000');
    const fits = row.replaced
      ? []
      : pool.filter((parent) => !taken.includes(parent) && isOneMachine(parent.known, row));
    const [best] = fits.sort((a, b) => (rank(a) > rank(b) ? -1 : 1));
    if (best) {
      taken.push(best);
    }
    const parent = best ?? pool.find(({ known, away }) => away && isSame(known, row));
    if (parent) {
      parents.set(row, parent);
    }
  }
  // Counted by two baselines of different nights: it was told as moved when the younger one was made.
  const isTold = ({ known }: Parent) =>
    rows.some((row) => {
      const parent = parents.get(row);
      return (
        parent &&
        !isSame(row, known) &&
        isSame(row, parent.known) &&
        !parent.away &&
        isCounted(parent.known) &&
        isOneMachine(row, known)
      );
    });
  return {
    parents,
    retold: [...taken, ...pool.filter((parent) => !parent.away && isTold(parent))].map(({ known }) => known),
  };
}

function changesOf(row: Row, parent: Parent | undefined, retold: Known[]): string[] {
  if (retold.some((known) => isSame(known, row)) && row.replaced && parent && !parent.away) {
    return [];
  }
  if (!parent || (parent.away && isSame(parent.known, row))) {
    if (!isCounted(row)) {
      return [];
    }
    return [row.status === 'Installed' ? 'new-installed' : 'new-not-installed'];
  }
  const [was, is] = [isCounted(parent.known), isCounted(row)];
  const kinds: string[] = [];
  if (!isSame(parent.known, row) && ((was && !parent.away) || is)) {
    kinds.push('moved');
  }
  if (was && !parent.away && !is) {
    kinds.push('excluded');
  }
  if (!was && is) {
    kinds.push('included');
  }
  if (was && is && parent.known.status !== row.status) {
    kinds.push(row.status === 'Installed' ? 'recovered' : 'lost');
  }
  return kinds;
}

export function expect(facts: Facts, before: Memory): Expected {
  const sources = [...facts.sources].sort((a, b) => (a.name < b.name ? -1 : 1));
  const rows = sources.flatMap((source) => {
    if (source.reading === 'complete') {
      return source.devices.map((device) => rowOf(source, device, facts, facts.slot));
    }
    const baseline = before.get(source.name)?.baseline;
    return (baseline?.rows ?? []).map((known) => rowOf(source, known.facts, facts, baseline?.slot ?? ''));
  });
  for (const row of rows) {
    row.replaced = rows.some(
      (other) =>
        !['unmanaged', 'retiring'].includes(other.excluded) &&
        other !== row &&
        isOneMachine(row, other) &&
        isNewer(other, row),
    );
  }
  for (const row of rows) {
    if (row.replaced) {
      row.excluded ||= 'superseded';
    }
  }
  const exempted = new Set(facts.exemptions.flatMap((row) => exempts(row, rows, facts.slot)));
  for (const row of exempted) {
    row.excluded ||= 'exempt';
  }

  const { parents, retold } = parentsOf(rows, facts, before);
  const expected: Expected = { rows, soundness: [], changes: [], figures: new Map(), memory: new Map() };
  for (const source of sources) {
    const memory = before.get(source.name) ?? { departed: [], untrusted: false, soundAgainAt: '', held: [] };
    const mine = rows.filter((row) => row.source === source.name);
    const isFresh = source.reading === 'complete';
    const isBroken = source.findings.some(
      ({ instrument, result }) => instrument && (result === 'fail' || result === 'unknown'),
    );
    const soundAgainAt = isFresh && memory.untrusted ? facts.moment : memory.soundAgainAt;
    for (const row of mine) {
      const isTrusted = isFresh ? !isBroken : !memory.untrusted;
      row.proven =
        isTrusted && row.provable && !row.stale && (soundAgainAt === '' || time(dateOf(row)) >= time(soundAgainAt));
      const parent = parents.get(row)?.known;
      const since =
        parent?.status === 'Not Installed' ? parent.since : memory.held.find(([id]) => id === row.facts.id)?.[1];
      row.since = row.status === 'Not Installed' ? (since ?? facts.slot) : '';
    }
    const old = isFresh ? memory.baseline?.rows : undefined;
    const oldCounted = (old ?? []).filter(isCounted);
    const counted = mine.filter(isCounted);
    const stayed = counted.filter((row) => {
      const parent = parents.get(row);
      return parent && !parent.away && parent.known.source === source.name && isCounted(parent.known);
    });
    const lost = oldCounted.filter((known) => {
      if (retold.some((other) => isSame(other, known))) {
        return false;
      }
      const now = mine.find((row) => isSame(row, known));
      return !now || ['unmanaged', 'retiring', 'not-manageable'].includes(now.excluded);
    });
    const both = counted.filter(
      (row) => parents.get(row) && !parents.get(row)?.away && isCounted(parents.get(row)?.known as Known),
    );
    const flips = both.filter((row) => row.status !== parents.get(row)?.known.status);
    const { maximumFleetDropPercent: drop, maximumFlipPercent: flip, minimumDevices: least } = facts.policy.breaker;
    const trips = (part: number, whole: number, limit: number) =>
      part > 0 && part >= least && part / whole > limit / 100;
    const isSuspect =
      old !== undefined && (trips(lost.length, oldCounted.length, drop) || trips(flips.length, both.length, flip));
    const fresh = isBroken
      ? 'untrusted'
      : isSuspect && !facts.accepted?.sources.includes(source.name)
        ? 'suspect'
        : 'complete';
    const word = isFresh ? fresh : memory.baseline ? 'carried' : 'missing';
    expected.soundness.push([source.name, word]);
    expected.figures.set(source.name, {
      counted: counted.length,
      before: old && oldCounted.length,
      joined: old ? counted.length - stayed.length : 0,
      left: old ? oldCounted.length - stayed.length : 0,
    });
    if (old) {
      for (const row of mine) {
        for (const kind of changesOf(row, parents.get(row), retold)) {
          expected.changes.push(`${source.name} ${row.facts.id} ${kind}`);
        }
      }
      for (const known of oldCounted) {
        const isHere = mine.some((row) => isSame(row, known)) || retold.some((other) => isSame(other, known));
        if (!isHere) {
          expected.changes.push(`${source.name} ${known.facts.id} removed`);
        }
      }
    }
    const after = { ...memory };
    if (word === 'suspect' || word === 'complete') {
      Object.assign(after, { untrusted: false, soundAgainAt });
    }
    if (word === 'untrusted') {
      after.untrusted = true;
    }
    if (word === 'suspect' || word === 'untrusted') {
      after.held = mine.filter((row) => row.since !== '').map((row) => [row.facts.id, row.since]);
    }
    if (word === 'complete') {
      const gone = [
        ...memory.departed,
        ...(memory.baseline?.rows ?? []).map((known) => ({ ...known, leftOn: facts.slot })),
      ];
      after.departed = gone.filter((known) => !mine.some((row) => isSame(row, known)));
      after.baseline = { slot: facts.slot, rows: mine };
      after.held = [];
    }
    expected.memory.set(source.name, after);
  }
  expected.changes.sort();
  return expected;
}
