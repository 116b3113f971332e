/** The commits of the log and the state of a run, as the model writes and reads them. */
import { hash } from 'node:crypto';

export interface StoredFile {
  readonly key: string;
  readonly sha256: string;
}

export interface Commit {
  readonly store: string;
  readonly number: number;
  readonly at: string;
  readonly slot: string;
  readonly attempt: string;
  /** 3 is complete; a heal replaces a run only by one of a higher number. */
  readonly completeness: number;
  readonly isSuspect: boolean;
  /** A person overrode the anomaly check, for this run and for those that take its place. */
  readonly isAccepted: boolean;
  /** It was compared with a run before it, whose ledger is among its files. */
  readonly isCompared: boolean;
  readonly exit: number;
  readonly files: readonly StoredFile[];
  readonly keptFrom?: string | undefined;
  readonly replaces?: string | undefined;
  readonly retracts?: string | undefined;
  readonly accepts?: boolean | undefined;
  readonly prunes?: boolean | undefined;
  readonly previous: { readonly number: number; readonly sha256: string } | null;
  readonly signature?: string | undefined;
}

/** A published run: the newest of its slot, where it stands in the list of kept ones. */
export interface PublishedAttempt {
  readonly slot: string;
  readonly attempt: string;
}

/** `copy`: the dated copies of a run; `retract`: to take those of a slot away; `remove`: its folder too. */
export interface OwedWork {
  readonly work: 'copy' | 'retract' | 'remove';
  readonly run: PublishedAttempt;
}

export interface RunState {
  /** Ordered by slot, with the run's own. */
  readonly kept: readonly PublishedAttempt[];
  /** Slots that were taken back, and not published again since. */
  readonly retracted: readonly string[];
  /** Oldest first. */
  readonly owed: readonly OwedWork[];
}

/** A commit that was created or checked. */
export interface Head {
  readonly commit: Commit;
  readonly text: string;
  readonly sha256: string;
}

export interface Damage {
  readonly damage: string;
}

export const emptyState: RunState = { kept: [], retracted: [], owed: [] };

/** The files that are copied, below `reports/` of an attempt. */
export const reports = ['devices.csv', 'report.json'] as const;

const fields: readonly (keyof Commit)[] = [
  ...(['store', 'number', 'at', 'slot', 'attempt', 'completeness', 'isSuspect'] as const),
  ...(['isAccepted', 'isCompared', 'exit', 'files', 'keptFrom'] as const),
  ...(['replaces', 'retracts', 'accepts', 'prunes', 'previous', 'signature'] as const),
];

export const hashText = remember((text) => hash('sha256', text));

const commitKeys: string[] = [];

export function findCommitKey(number: number): string {
  commitKeys[number] ??= `commits/${String(number).padStart(10, '0')}.json`;
  return commitKeys[number];
}

/** Numbers of the commits among keys, ascending; other keys are not looked at. */
export function listNumbers(keys: Iterable<string>): number[] {
  const numbers: number[] = [];
  for (const key of keys) {
    if (key.length === 'commits/0000000001.json'.length && /^commits\/\d{10}\.json$/.test(key)) {
      numbers.push(Number(key.slice('commits/'.length, -'.json'.length)));
    }
  }
  return numbers.sort((one, other) => one - other);
}

export function findFolder({ slot, attempt }: { readonly slot: string; readonly attempt: string }): string {
  return `runs/${slot}/${attempt}`;
}

export function findFactsKey(run: PublishedAttempt): string {
  return `${findFolder(run)}/facts/night.json.gz`;
}

export function findStateKey(run: PublishedAttempt): string {
  return `${findFolder(run)}/state.json.gz`;
}

export function findSlot(key: string): string {
  return key.slice('runs/'.length, key.indexOf('/', 'runs/'.length));
}

export function renderCommit(commit: Commit): string {
  return JSON.stringify(Object.fromEntries(fields.map((field) => [field, commit[field]])));
}

export function signCommit(commit: Commit): Commit {
  return { ...commit, signature: findSignature(commit) };
}

export const toHead = remember((text): Head => ({ commit: JSON.parse(text) as Commit, text, sha256: hashText(text) }));

/** The text that Muster would write for the fields of a text. */
const renderAgain = remember((text) => renderCommit(toHead(text).commit));

const findSignatureOf = remember((text) => findSignature(toHead(text).commit));

/** The head that a text makes at a place of the log, or the reason why it is damaged. */
export function checkCommit(
  text: string | undefined,
  place: { readonly number: number; readonly previous: Head | undefined; readonly isSigned: boolean },
): Head | Damage {
  const { number, previous, isSigned } = place;
  if (text === undefined) {
    return { damage: `commit ${number} is missing` };
  }
  const head = toHead(text);
  const { commit } = head;
  if (renderAgain(text) !== text || commit.number !== number) {
    return { damage: `commit ${number} is not canonical` };
  }
  if (commit.previous?.sha256 !== previous?.sha256 || (commit.previous?.number ?? 0) !== number - 1) {
    return { damage: `commit ${number} does not chain` };
  }
  if (previous !== undefined && commit.store !== previous.commit.store) {
    return { damage: `commit ${number} is of another store` };
  }
  if (isSigned && commit.signature !== findSignatureOf(text)) {
    return { damage: `commit ${number} is not signed` };
  }
  return head;
}

export function isDamage(found: object | undefined): found is Damage {
  return found !== undefined && 'damage' in found;
}

export function renderLatest({ commit, sha256 }: Head): string {
  return JSON.stringify({ slot: commit.slot, attempt: commit.attempt, number: commit.number, sha256 });
}

export function parseLatest(text: string): { readonly number: number; readonly sha256: string } {
  return JSON.parse(text) as { number: number; sha256: string };
}

export const parseState = remember((text) => JSON.parse(text) as RunState);

/** The copies of a run, report by report, each with its source. */
export function listCopies(
  run: PublishedAttempt,
): { readonly dated: string; readonly latest: string; readonly from: string }[] {
  return listDatedKeys(run.slot).map((dated, index) => ({
    dated,
    latest: `latest/${reports[index]}`,
    from: `${findFolder(run)}/reports/${reports[index]}`,
  }));
}

export const listDatedKeys = remember((slot): readonly string[] => [
  `devices/date=${slot}/devices.csv`,
  `report/date=${slot}/report.json`,
]);

/** The private key is known to every run, and to nobody else. */
function findSignature(commit: Commit): string {
  return hashText(`private key ${renderCommit({ ...commit, signature: undefined })}`);
}

/** A function of a text that computes each result once; thousands of schedules hold the same few texts. */
function remember<Result>(compute: (text: string) => Result): (text: string) => Result {
  const results = new Map<string, Result>();
  return (text) => {
    const known = results.get(text);
    if (known !== undefined) {
      return known;
    }
    if (results.size > 10_000) {
      results.clear();
    }
    const result = compute(text);
    results.set(text, result);
    return result;
  };
}
