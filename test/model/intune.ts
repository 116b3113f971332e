import type { Policy } from '../../src/core/facts/company.ts';
import type { Answer, DeviceFacts } from '../../src/core/facts/facts.ts';
import { type FleetRecord, isOlder, type KindModel, type Meaning, pickDate } from './kind.ts';
import type { Random } from './random.ts';
import { compareText, day, type Row, readTime } from './rows.ts';

const states = ['1', '1', '1', '3', '3', '2', '4', '5', '-1', '99', '7', ' 1 '];
const apps = ['app-1', 'app-2'];
const retiring = ['retirePending', 'retireIssued', 'wipePending', 'wipeIssued', 'deletePending'];

export const intuneModel: KindModel = {
  source: 'pcs',
  readAnswer: readIntuneAnswer,
  ageDates: ['lastSeenAt'],
  datesAnswers: true,
  isUnmanaged: (state) => state === 'discovered',
  retiring,
  notManageable: ['msSense', 'configurationManagerClient'],
  knowsOwners: true,
  knowsSites: false,
  knowsDepartments: false,
  hasServerGroups: false,
  draws: {
    // Such a source can list Macs, too.
    operatingSystems: ['macos', 'windows', 'windows', 'windows', 'windows', 'windows'],
    unmanaged: 'discovered',
    management: (random) =>
      random.chance(0.88)
        ? 'managed'
        : random.pick(['discovered', ...retiring, 'wipeFailed', 'retireCanceled', undefined]),
    ownFields: (random) => ({
      managementAgent: random.pick(['mdm', 'mdm', 'mdm', 'mdm', 'msSense', 'configurationManagerClient', undefined]),
      clientAppsWorkload: random.pick([undefined, undefined, undefined, 'configurationManager']),
      ownership: random.pick(['company', 'company', 'personal', undefined]),
    }),
    answers: drawAnswers,
  },
};

function drawAnswers(random: Random, _record: FleetRecord, moment: number): FleetRecord['answers'] {
  const named = random.pick([[], [], apps]);
  const last = random.chance(0.1) ? undefined : pickDate(random, moment);
  return Array.from({ length: random.pick([0, 1, 1, 1, 2, 2, 3]) }, () => ({
    value: random.pick(states),
    at: pickAnswerDate(random, moment, last),
    ...(random.chance(0.2) ? { detail: `0x${random.between(1, 9)}` } : {}),
    ...(named.length === 0 ? {} : { app: random.pick(named) }),
  }));
}

/** Two rows can have one date, or be a month apart to the millisecond. */
function pickAnswerDate(random: Random, moment: number, last: number | undefined): number | undefined {
  if (random.chance(0.08)) {
    return undefined;
  }
  const other = last === undefined ? pickDate(random, moment) : last - random.pick([0, 30 * day, 30 * day - 1]);
  return random.chance(0.5) ? other : pickDate(random, moment);
}

function readIntuneAnswer(device: DeviceFacts, stale: boolean, policy: Policy, moment: number): Meaning {
  const { winner, isDoubted = false } = findWindowsAnswer(device.answers) ?? {};
  const { status, reason, canBeProven } = readWindowsState(winner);
  const isTooOld =
    policy.windowsStateMaxAgeDays !== undefined && isOlder(readTime(winner?.at), policy.windowsStateMaxAgeDays, moment);
  return {
    status,
    reason: winner === undefined && device.clientAppsWorkload === 'configurationManager' ? 'managed-elsewhere' : reason,
    value: winner?.value,
    detail: winner?.detail,
    valueAt: winner?.at,
    stale,
    canBeProven,
    isDoubted,
    isTooOld,
  };
}

function readWindowsState(answer: Answer | undefined): { status: Row['status']; reason: string; canBeProven: boolean } {
  switch (answer?.value.trim()) {
    case undefined:
      return { status: 'Not Installed', reason: 'never-reported', canBeProven: false };
    case '1':
      return { status: 'Installed', reason: 'reported', canBeProven: true };
    case '4':
      return { status: 'Installed', reason: 'uninstall-failed', canBeProven: false };
    case '3':
      return { status: 'Not Installed', reason: 'reported', canBeProven: true };
    case '2':
      return { status: 'Not Installed', reason: 'install-failed', canBeProven: true };
    case '5':
      return { status: 'Not Installed', reason: 'install-pending', canBeProven: true };
    case '-1':
      return { status: 'Not Installed', reason: 'not-applicable', canBeProven: false };
    default:
      return { status: 'Not Installed', reason: 'state-unknown', canBeProven: false };
  }
}

/** What one app's rows say, or all rows where they name no app. */
interface AppAnswer {
  winner: Answer;
  isDoubted: boolean;
}

/** An app that says Installed comes first, then one that is clear, then the better kind of state, then the newest. */
function findWindowsAnswer(answers: readonly Answer[]): AppAnswer | undefined {
  const apps = [...new Set(answers.map(({ app }) => app))].map((app): AppAnswer => {
    const rows = answers.filter((answer) => answer.app === app);
    const winner = sortBest(rows)[0] as Answer;
    return { winner, isDoubted: rows.some((other) => isRecentContrary(other, winner)) };
  });
  const isInstalled = ({ winner }: AppAnswer) => readWindowsState(winner).status === 'Installed';
  const isClear = ({ winner, isDoubted }: AppAnswer) => readWindowsState(winner).canBeProven && !isDoubted;
  const best = apps.filter(isInstalled).length > 0 ? apps.filter(isInstalled) : apps;
  const clear = best.filter(isClear).length > 0 ? best.filter(isClear) : best;
  const [first] = sortBest(clear.map(({ winner }) => winner));
  const shown = clear.find(({ winner }) => winner === first);
  // Not Installed is what all apps say, so a contradiction in one of them takes the proof from all.
  return (
    shown && { ...shown, isDoubted: isInstalled(shown) ? shown.isDoubted : apps.some(({ isDoubted }) => isDoubted) }
  );
}

/** Outcomes, then 5, then -1, then any other; of those the newest, and of two of one moment the lower by text. */
function sortBest(answers: readonly Answer[]): Answer[] {
  return [...answers].sort(
    (a, b) =>
      rankState(a) - rankState(b) ||
      (readTime(b.at) ?? 0) - (readTime(a.at) ?? 0) ||
      compareText(a.value.trim(), b.value.trim()) ||
      compareText(a.value, b.value) ||
      compareText(a.detail ?? '', b.detail ?? '') ||
      compareText(a.app ?? '', b.app ?? ''),
  );
}

function rankState({ value }: Answer): number {
  const place = [['1', '2', '3', '4'], ['5'], ['-1']].findIndex((states) => states.includes(value.trim()));
  return place === -1 ? 3 : place;
}

/** Another outcome of the same app that says the contrary, and is less than 30 days older; without dates nobody knows. */
function isRecentContrary(other: Answer, winner: Answer): boolean {
  if (rankState(other) !== 0 || rankState(winner) !== 0) {
    return false;
  }
  const wonAt = readTime(winner.at);
  const otherAt = readTime(other.at);
  const isLongAgo = wonAt !== undefined && otherAt !== undefined && wonAt - otherAt >= 30 * day;
  return readWindowsState(other).status !== readWindowsState(winner).status && !isLongAgo;
}
