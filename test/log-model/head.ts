/** The head of a run: reading and checking the newest commit, and going on to the one after it. */
import {
  checkCommit,
  type Damage,
  emptyState,
  findCommitKey,
  findFolder,
  type Head,
  hashText,
  isDamage,
  listNumbers,
  parseLatest,
  parseState,
  type RunState,
  toHead,
} from './commit.ts';
import type { RunContext } from './context.ts';
import { list, read, type Steps } from './requests.ts';

/** The newest commit, checked; undefined where the store has no log. Before damage is found, all is read again. */
export function* readHead(context: RunContext): Steps<Head | Damage | undefined> {
  const found = yield* readHeadOnce(context);
  return isDamage(found) && context.rules.looksTwice ? yield* readHeadOnce(context) : found;
}

function* readHeadOnce(context: RunContext): Steps<Head | Damage | undefined> {
  let numbers = context.rules.readsLogLast ? undefined : listNumbers(yield* list('commits/'));
  const latestText = yield* read('latest.json');
  const latest = latestText === undefined ? undefined : parseLatest(latestText);
  const audited = context.hasAudit ? listNumbers(yield* list('commits/', 'audit')) : [];
  const hasCopies = latest === undefined && (yield* list('latest/')).length + (yield* list('devices/')).length > 0;
  numbers ??= listNumbers(yield* list('commits/'));
  const number = numbers.at(-1) ?? 0;
  if ((latest?.number ?? 0) > number) {
    return { damage: 'latest.json is ahead of the log' };
  }
  const newestAudited = audited.at(-1) ?? 0;
  if (newestAudited > number) {
    return { damage: 'the audit is ahead of the log' };
  }
  if (number === 0) {
    return hasCopies ? { damage: 'copies stand without a log' } : undefined;
  }
  const before = yield* read(findCommitKey(number - 1));
  if (number > 1 && before === undefined) {
    return { damage: `commit ${number - 1} is missing` };
  }
  const found = checkCommit(yield* read(findCommitKey(number)), {
    number,
    previous: before === undefined ? undefined : toHead(before),
    isSigned: context.isSigned,
  });
  if (newestAudited > 0 && (yield* differsFromAudit(newestAudited))) {
    return { damage: `the audit differs at commit ${newestAudited}` };
  }
  return found;
}

/** Checks what stands in the place after a head as a head. */
export function* checkFound(context: RunContext, head: Head | undefined, text: string): Steps<Head | Damage> {
  const number = (head?.commit.number ?? 0) + 1;
  const found = checkCommit(text, { number, previous: head, isSigned: context.isSigned });
  const latest = context.rules.allowsOvertakenRivals ? undefined : yield* read('latest.json');
  if (latest !== undefined && parseLatest(latest).number > number) {
    return { damage: 'latest.json is ahead of the log' };
  }
  if (!isDamage(found) && context.hasAudit && (yield* differsFromAudit(number))) {
    return { damage: `the audit differs at commit ${number}` };
  }
  return found;
}

/** The newest commit that can be reached from a head by reading the number after it. */
export function* advance(context: RunContext, from: Head): Steps<Head | Damage> {
  let head = from;
  while (context.rules.readsNumberAfter) {
    const text = yield* read(findCommitKey(head.commit.number + 1));
    if (text === undefined) {
      return head;
    }
    const found = yield* checkFound(context, head, text);
    if (isDamage(found)) {
      return found;
    }
    head = found;
  }
  return head;
}

/** The state of a head, as its commit names it; undefined where its run is no longer there. */
function* readState(head: Head | undefined): Steps<RunState | Damage | undefined> {
  if (head === undefined) {
    return emptyState;
  }
  const key = `${findFolder(head.commit)}/state.json.gz`;
  const text = yield* read(key);
  if (text === undefined) {
    return undefined;
  }
  if (head.commit.files.find((file) => file.key === key)?.sha256 !== hashText(text)) {
    return { damage: `${key} differs from its commit` };
  }
  return parseState(text);
}

/** Only the newest commit may have lost its run to nothing but damage. */
export function* readNewestState(
  context: RunContext,
  from: Head,
): Steps<{ readonly head: Head; readonly state: RunState } | Damage> {
  let head: Head = from;
  for (;;) {
    const state = yield* readState(head);
    if (state !== undefined) {
      return 'damage' in state ? state : { head, state };
    }
    const next = yield* advance(context, head);
    if (isDamage(next)) {
      return next;
    }
    if (next.commit.number === head.commit.number) {
      return { damage: `the state of commit ${head.commit.number} is missing` };
    }
    head = next;
  }
}

function* differsFromAudit(number: number): Steps<boolean> {
  const audited = yield* read(findCommitKey(number), 'audit');
  return audited !== undefined && audited !== (yield* read(findCommitKey(number)));
}
