/** `muster verify` as a model: reads all of a store and its audit, and names what is behind and what is damaged. */
import {
  checkCommit,
  findCommitKey,
  findSlot,
  type Head,
  hashText,
  isDamage,
  listDatedKeys,
  listNumbers,
  parseLatest,
  renderLatest,
  reports,
} from './commit.ts';
import type { Memory } from './requests.ts';

export interface Verdict {
  /** Exit 3. */
  readonly damage: readonly string[];
  /** Exit 0: what the next run makes anew, or removes. */
  readonly behind: readonly string[];
}

export function verify(memory: Memory, settings: { readonly isSigned: boolean; readonly hasAudit: boolean }): Verdict {
  const damage: string[] = [];
  const behind: string[] = [];
  const log = verifyLog(memory, settings.isSigned, damage);
  if (settings.hasAudit) {
    verifyAudit(memory, log, { damage, behind });
  }
  verifyLatest(memory, log, { damage, behind });
  verifyRuns(memory, log, { damage, behind });
  verifyCopies(memory, log, { damage, behind });
  return { damage, behind };
}

interface Names {
  readonly damage: string[];
  readonly behind: string[];
}

function verifyLog({ store }: Memory, isSigned: boolean, damage: string[]): readonly Head[] {
  const log: Head[] = [];
  const newest = listNumbers(store.keys()).at(-1) ?? 0;
  for (let number = 1; number <= newest; number += 1) {
    const found = checkCommit(store.get(findCommitKey(number)), { number, previous: log.at(-1), isSigned });
    if (isDamage(found)) {
      damage.push(found.damage);
      break;
    }
    log.push(found);
  }
  return log;
}

function verifyAudit({ audit }: Memory, log: readonly Head[], { damage, behind }: Names): void {
  const numbers = listNumbers(audit.keys());
  const newest = numbers.at(-1) ?? 0;
  if (newest > log.length) {
    damage.push('the audit is ahead of the log');
  } else if (newest < log.length) {
    behind.push('the audit');
  }
  if (numbers.some((number, index) => number !== index + 1)) {
    damage.push('the audit has a gap');
  }
  for (const { commit, text } of log) {
    const audited = audit.get(findCommitKey(commit.number));
    if (audited !== undefined && audited !== text) {
      damage.push(`the audit differs at commit ${commit.number}`);
    }
  }
}

function verifyLatest({ store }: Memory, log: readonly Head[], { damage, behind }: Names): void {
  const text = store.get('latest.json');
  const head = log.at(-1);
  if (text === undefined || head === undefined) {
    (text === undefined ? (head === undefined ? [] : behind) : damage).push('latest.json');
    return;
  }
  const named = log[parseLatest(text).number - 1];
  if (named === undefined || renderLatest(named) !== text) {
    damage.push('latest.json');
  } else if (named !== head) {
    behind.push('latest.json');
  }
}

function verifyRuns({ store }: Memory, log: readonly Head[], { damage, behind }: Names): void {
  const keptFrom = log.at(-1)?.commit.keptFrom ?? '';
  for (const { commit } of log) {
    for (const { key, sha256 } of commit.slot < keptFrom ? [] : commit.files) {
      const text = store.get(key);
      if (text === undefined || hashText(text) !== sha256) {
        damage.push(key);
      }
    }
  }
  const slots = new Set([...store.keys()].filter((key) => key.startsWith('runs/')).map(findSlot));
  behind.push(...[...slots].filter((slot) => slot < keptFrom).map((slot) => `runs/${slot}/ is left over`));
}

/**
 * A copy that is not of the run that counts is behind where it is of another run, and else damage. Below `keptFrom` a
 * copy of any run will do, and none: its run is gone, so that nobody can make it anew.
 */
function verifyCopies({ store }: Memory, log: readonly Head[], { damage, behind }: Names): void {
  const head = log.at(-1);
  const current = findCurrentRuns(log);
  const expected = new Map<string, string | undefined>();
  const lost = new Set<string>();
  for (const [slot, one] of current) {
    listDatedKeys(slot).forEach((key, index) => {
      expected.set(key, one === undefined ? undefined : findReport(one, index));
      if (slot < (head?.commit.keptFrom ?? '')) {
        lost.add(key);
      }
    });
  }
  reports.forEach((name, index) => {
    expected.set(`latest/${name}`, head === undefined ? undefined : findReport(head, index));
  });
  const known = new Set(log.flatMap((one) => reports.map((_name, index) => findReport(one, index))));
  for (const [key, sha256] of expected) {
    const text = store.get(key);
    const there = text === undefined ? undefined : hashText(text);
    const isKnown = there === undefined || known.has(there);
    if (there !== sha256 && !(isKnown && sha256 !== undefined && lost.has(key))) {
      (isKnown ? behind : damage).push(key);
    }
  }
  const copies = [...store.keys()].filter((key) => key.startsWith('latest/') || key.includes('/date='));
  damage.push(...copies.filter((key) => !expected.has(key)));
}

/** The newest run of each slot; undefined where it was retracted since. */
export function findCurrentRuns(log: readonly Head[]): ReadonlyMap<string, Head | undefined> {
  const current = new Map<string, Head | undefined>();
  for (const head of log) {
    current.set(head.commit.slot, head);
    if (head.commit.retracts !== undefined) {
      current.set(head.commit.retracts, undefined);
    }
  }
  return current;
}

function findReport({ commit }: Head, index: number): string {
  return commit.files.find(({ key }) => key.endsWith(`/reports/${reports[index]}`))?.sha256 ?? '';
}
