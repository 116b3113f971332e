/** The product's store as outcomes describe it: read past the gates, and verified by the product itself. */
import { type Commit, type PublishedRun, parseCommit } from '../../src/storage/commits/commit.ts';
import { parseCommitNumber, toCommitKey } from '../../src/storage/keys.ts';
import type { TrustedKeys } from '../../src/storage/signing/trusted-keys.ts';
import type { Store } from '../../src/storage/store.ts';
import { verifyRuns } from '../../src/storage/verify/verify.ts';
import { listDatedKeys } from './commit.ts';
import type { StoredFiles } from './memory-store.ts';
import type { LoggedCommit, StoreDescription } from './outcome.ts';

interface ProductStores {
  readonly store: Store;
  readonly files: StoredFiles;
  readonly audit: Store | undefined;
  readonly auditFiles: StoredFiles;
  /** The labels of attempts, by their names. */
  readonly labels: ReadonlyMap<string, string>;
  readonly keys: TrustedKeys | undefined;
}

export async function describeProduct(stores: ProductStores): Promise<StoreDescription> {
  const { store, files, audit, auditFiles, labels, keys } = stores;
  const log = listNumbers(files).flatMap((number): PublishedRun[] => {
    const key = toCommitKey(number);
    const body = files.get(key)?.body;
    return body === undefined ? [] : [parseCommit(body, key)];
  });
  const { damage, behind } = await verifyRuns(store, { audit, keys });
  const latest = files.get('latest.json');
  return {
    commits: log.map(({ commit }) => toLoggedCommit(commit, labels)),
    keptRuns: log
      .filter(({ commit }) => commit.files.every(({ key }) => files.has(key)))
      .map(({ commit }) => `${commit.slot}/${findLabel(labels, commit.attempt)}`)
      .sort(),
    audit: listNumbers(auditFiles),
    dated: describeDatedCopies(files, log, labels),
    latest: latest && (JSON.parse(latest.body.toString()) as { number: number }).number,
    verdict: { damage: damage.map(({ message }) => message), behind },
  };
}

function listNumbers(files: StoredFiles): number[] {
  return [...files.keys()].flatMap((key) => parseCommitNumber(key) ?? []).sort((one, other) => one - other);
}

function findLabel(labels: ReadonlyMap<string, string>, attempt: string): string {
  return labels.get(attempt) ?? attempt;
}

function toLoggedCommit(commit: Commit, labels: ReadonlyMap<string, string>): LoggedCommit {
  const { number, slot, attempt, replaces, retracts, accepts, prunes, keptFrom, exit } = commit;
  return {
    number,
    slot,
    attempt: findLabel(labels, attempt),
    replaces: replaces === undefined ? undefined : findLabel(labels, replaces),
    retracts: retracts?.slot,
    accepts: accepts === undefined ? undefined : true,
    prunes: prunes === undefined ? undefined : true,
    keptFrom,
    exit,
  };
}

function describeDatedCopies(
  files: StoredFiles,
  log: readonly PublishedRun[],
  labels: ReadonlyMap<string, string>,
): Record<string, string> {
  const owners = new Map(
    log.flatMap(({ commit }) => commit.files.map(({ sha256 }) => [sha256, findLabel(labels, commit.attempt)] as const)),
  );
  const dated: Record<string, string> = {};
  for (const slot of new Set(log.map(({ commit }) => commit.slot))) {
    const copies = listDatedKeys(slot).map((key) => files.get(key));
    const attempts = new Set(copies.flatMap((copy) => (copy === undefined ? [] : (owners.get(copy.sha256) ?? 'none'))));
    if (attempts.size > 0) {
      dated[slot] = copies.includes(undefined) ? 'partial' : attempts.size > 1 ? 'mixed' : [...attempts].join();
    }
  }
  return dated;
}
