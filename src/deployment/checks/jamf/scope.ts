/** Judges which computers a policy or a profile reaches: its targets, less its exclusions, within its limitations. */
import { formatFirst, passOrFail, quoteText, reportUnknown, type Verdict } from '../verdicts.ts';

export interface ScopeFacts {
  readonly allComputers: boolean;
  readonly targets: readonly ScopeEntry[];
  readonly exclusions: readonly ScopeEntry[];
  /** Further restrictions: users, networks, places. */
  readonly limitations: readonly ScopeEntry[];
}

export interface ScopeEntry {
  /** Type by the server's name: `computer_group`. */
  readonly type: string;
  readonly id: string;
  readonly name: string;
  /** Ids of its computers; undefined where they were not or cannot be read. */
  readonly computers?: readonly string[];
}

interface ScopeVerdict {
  readonly problems: readonly string[];
  /** The reason why the scope cannot be judged. */
  readonly unread?: string;
  /** Description of the computers that it reaches. */
  readonly shown: string;
}

/** Judges an object by its own problems and by its scope. */
export function judgeWithScope(
  problems: readonly string[],
  scope: ScopeVerdict,
  well: string,
  advice: string,
): Verdict {
  const all = [...problems, ...scope.problems];
  if (all.length === 0 && scope.unread !== undefined) {
    const scopeAdvice = 'Let Muster read the inventory and the groups, so that it can tell whom the exclusions leave.';
    return reportUnknown(scope.unread, scopeAdvice);
  }
  return passOrFail(all, `${well}, ${scope.shown}`, advice);
}

/** Judges a scope; `managed` are the ids of all managed computers, undefined where the inventory was not read in full. */
export function judgeScope(scope: ScopeFacts, managed: readonly string[] | undefined): ScopeVerdict {
  const shown = describeScope(scope);
  if (!scope.allComputers && scope.targets.length === 0) {
    return { problems: ['it has no scope'], shown };
  }
  const excluded = new Set(scope.exclusions.flatMap(({ computers = [] }) => computers));
  const targets = listTargetComputers(scope, managed);
  if (targets !== undefined && targets.length > 0 && targets.every((id) => excluded.has(id))) {
    return { problems: [`its exclusions leave no computer: ${shown}`], shown };
  }
  const unread = scope.exclusions.filter((entry) => isComputerList(entry) && entry.computers === undefined);
  if (unread.length > 0) {
    const why = `the computers of ${formatEntries(unread)}, which it excludes, were not read`;
    return { problems: [], unread: why, shown };
  }
  if (targets === undefined && excluded.size > 0 && scope.targets.every(isComputerList)) {
    return { problems: [], unread: 'it excludes computers, and those that it targets were not read', shown };
  }
  return { problems: [], shown };
}

/** Ids of the targeted computers; undefined where they cannot be known. */
function listTargetComputers(
  { allComputers, targets }: ScopeFacts,
  managed: readonly string[] | undefined,
): readonly string[] | undefined {
  if (allComputers) {
    return managed;
  }
  const lists = targets.map(({ computers }) => computers);
  return lists.includes(undefined) ? undefined : lists.flatMap((computers) => computers ?? []);
}

/** Whether the entry names computers; users and places of computers change. */
export function isComputerList({ type }: ScopeEntry): boolean {
  return type === 'computer' || type === 'computer_group';
}

function describeScope({ allComputers, targets, exclusions, limitations }: ScopeFacts): string {
  const scoped = `scoped to ${allComputers ? 'all computers' : formatEntries(targets)}`;
  const excluded = exclusions.length === 0 ? '' : `, excludes ${formatEntries(exclusions)}`;
  const limited = limitations.length === 0 ? '' : `, limited to ${formatEntries(limitations)}`;
  return scoped + excluded + limited;
}

function formatEntries(entries: readonly ScopeEntry[]): string {
  return formatFirst(
    entries.map(({ type, name }) => `the ${type.replace(/^jss_/, '').replaceAll('_', ' ')} ${quoteText(name)}`),
  );
}
