/** What one device's answers mean: status, reason, age, and whether they could be proven. */
import type { Answer, DeviceFacts, Policy } from '../../src/core/facts/facts.ts';
import { day, type Row, readTime } from './rows.ts';

type Meaning = Pick<Row, 'status' | 'reason' | 'value' | 'detail' | 'valueAt' | 'stale' | 'isClear'>;

export function readDevice(device: DeviceFacts, kind: string, policy: Policy, moment: number): Meaning {
  const winner = kind === 'jamf' ? device.answers[0] : findWindowsWinner(device.answers);
  const { status, reason, canBeProven } = kind === 'jamf' ? readMacValue(winner) : readWindowsState(winner);
  const stale = isOlder(findAgeDate(device, kind), policy.staleAfterDays, moment);
  const isContradicted = kind !== 'jamf' && winner !== undefined && hasNewerContradiction(winner, device.answers);
  const isTooOldState =
    kind !== 'jamf' &&
    policy.windowsStateMaxAgeDays !== undefined &&
    isOlder(readTime(winner?.at), policy.windowsStateMaxAgeDays, moment);
  return {
    status,
    reason,
    value: winner?.value,
    detail: winner?.detail,
    valueAt: kind === 'jamf' ? (winner?.at ?? device.reportedAt) : winner?.at,
    stale,
    isClear: canBeProven && !stale && !isContradicted && !isTooOldState,
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

/** State 1 wins, then 4, then the newest. */
function findWindowsWinner(answers: readonly Answer[]): Answer | undefined {
  const newestFirst = [...answers].sort((a, b) => (readTime(b.at) ?? -Infinity) - (readTime(a.at) ?? -Infinity) || 0);
  return (
    newestFirst.find(({ value }) => value.trim() === '1') ??
    newestFirst.find(({ value }) => value.trim() === '4') ??
    newestFirst[0]
  );
}

/** Another row that says the other status, unless both dates are known and it is not the newer one. */
function hasNewerContradiction(winner: Answer, answers: readonly Answer[]): boolean {
  const wonAt = readTime(winner.at);
  return answers.some((other) => {
    const otherAt = readTime(other.at);
    const isOlderForSure = wonAt !== undefined && otherAt !== undefined && otherAt <= wonAt;
    return readWindowsState(other).status !== readWindowsState(winner).status && !isOlderForSure;
  });
}
