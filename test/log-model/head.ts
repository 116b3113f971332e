/** The head of a run: reading and checking the newest commit, and going on to the one after it. */
import {
  checkCommit,
  type Damage,
  emptyState,
  findCommitKey,
  findStateKey,
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
import type { Ground } from './publish.ts';
import { list, read, type Steps } from './requests.ts';

/** The newest commit, checked; undefined where the store has no log. Before damage is found, all is read again. */
function* readHead(context: RunContext): Steps<Head | Damage | undefined> {
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

/** The commit after a head, checked; undefined where there is none. */
export function* readNext(context: RunContext, head: Head | undefined): Steps<Head | Damage | undefined> {
  const text = yield* read(findCommitKey((head?.commit.number ?? 0) + 1));
  return text === undefined ? undefined : yield* checkFound(context, head, text);
}

/** The head and the state that its run left; where that is gone, another run was published, and all is read again. */
export function* readGround(context: RunContext): Steps<Ground | Damage> {
  for (;;) {
    const head = yield* readHead(context);
    if (head === undefined || isDamage(head)) {
      return head ?? { head, state: emptyState };
    }
    const state = yield* readState(head);
    if (state !== undefined) {
      return isDamage(state) ? state : { head, state };
    }
    if ((yield* readNext(context, head)) === undefined) {
      return { damage: `the state of commit ${head.commit.number} is missing` };
    }
  }
}

/** The state of a head, as its commit names it; undefined where its run is no longer there. */
export function* readState(head: Head): Steps<RunState | Damage | undefined> {
  const key = findStateKey(head.commit);
  const text = yield* read(key);
  if (text === undefined) {
    return undefined;
  }
  if (head.commit.files.find((file) => file.key === key)?.sha256 !== hashText(text)) {
    return { damage: `${key} differs from its commit` };
  }
  return parseState(text);
}

function* differsFromAudit(number: number): Steps<boolean> {
  const audited = yield* read(findCommitKey(number), 'audit');
  return audited !== undefined && audited !== (yield* read(findCommitKey(number)));
}
