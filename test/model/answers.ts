/** What one device's answers mean: status, reason, age, and whether they could be proven. */
import type { Answer, DeviceFacts, Policy } from '../../src/core/facts/facts.ts';
import { compareText, day, type Row, readTime } from './rows.ts';

type Meaning = Pick<Row, 'status' | 'reason' | 'value' | 'detail' | 'valueAt' | 'stale' | 'isClear'>;

type Read = (device: DeviceFacts, stale: boolean, policy: Policy, moment: number) => Meaning;

/** What the answers of each kind of source mean. */
export const answerReaders: Readonly<Record<string, Read>> = { jamf: readJamfAnswer, intune: readIntuneAnswer };

export function readDevice(device: DeviceFacts, kind: string, policy: Policy, moment: number): Meaning {
  const stale = isOlder(findAgeDate(device, kind), policy.staleAfterDays, moment);
  const read = answerReaders[kind];
  if (read === undefined) {
    throw new Error(`the model has no rules for ${kind}`);
  }
  return read(device, stale, policy, moment);
}

function readJamfAnswer(device: DeviceFacts, stale: boolean): Meaning {
  const [word] = device.answers;
  const { status, reason, canBeProven } = readMacValue(word);
  const valueAt = word?.at ?? device.reportedAt;
  return { status, reason, value: word?.value, detail: word?.detail, valueAt, stale, isClear: canBeProven && !stale };
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
    isClear: canBeProven && !stale && !isDoubted && !isTooOld,
  };
}

/** macOS: the older of the inventory report and the last contact. Windows: the last sync. */
export function findAgeDate(device: DeviceFacts, kind: string): number | undefined {
  const seen = readTime(device.lastSeenAt);
  if (kind !== 'jamf') {
    return seen;
  }
  const reported = readTime(device.reportedAt);
  return reported === undefined || seen === undefined ? undefined : Math.min(reported, seen);
}

function isOlder(date: number | undefined, days: number, moment: number): boolean {
  return date === undefined || moment - date > days * day;
}

function readMacValue(answer: Answer | undefined): { status: Row['status']; reason: string; canBeProven: boolean } {
  const word = (answer?.value ?? '').trim();
  if (word === 'Installed') {
    return { status: 'Installed', reason: 'reported', canBeProven: true };
  }
  if (word === 'Not Installed') {
    return { status: 'Not Installed', reason: 'reported', canBeProven: true };
  }
  if (word === '') {
    return { status: 'Not Installed', reason: 'never-reported', canBeProven: false };
  }
  return { status: 'Not Installed', reason: 'unrecognised-value', canBeProven: false };
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
  return clear.find(({ winner }) => winner === first);
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
