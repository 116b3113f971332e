/**
 * Reads all rows of one app's report and proves them complete. There are two ways to the rows, an export and the
 * synchronous action, and either is enough: a tenant may refuse one of them, and the service has removed one before.
 * Whichever answers, the other is the second opinion. Where only one answers, two agreeing answers of it are the proof.
 */
import { pluralize } from '../../core/pluralize.ts';
import type { AnswersProof } from '../../core/vocabulary.ts';
import { MusterError } from '../../errors.ts';
import { attempt } from './attempt.ts';
import { compareRows, isSameReport } from './compare-rows.ts';
import { createReportExports, type ReportExports } from './export-job.ts';
import { type Graph, toOptionalGraph } from './graph.ts';
import type { ReportRow } from './report.ts';
import { type OnCounted, readReportRows, readTotal } from './synchronous-report.ts';

interface ReportRequest {
  readonly appId: string;
  /** Rows of the last good run, where they are known to be of this app alone. */
  readonly baseline: number | undefined;
  /** Called as soon as both numbers are known, so that a failure still shows them. */
  readonly onCounted: OnCounted;
}

export interface AppReport {
  readonly rows: readonly ReportRow[];
  readonly proof: AnswersProof;
}

/** Milliseconds after which the synchronous action is asked beside exports that are still under way. */
const slowExports = 360_000;
/** Of the source's time, exports get this share before the synchronous action is asked. */
const slowExportsShare = 0.5;
/** Milliseconds that exports may take where there is no deadline. */
const longestExports = 7_200_000;
/** Milliseconds for another look at exports that were slow. */
const shortLook = 10_000;
/** Answers of one way until two agree. */
const maximumAnswers = 3;

export async function readAppReport(graph: Graph, request: ReportRequest): Promise<AppReport> {
  // Neither way is waited for long while the other may answer.
  const exports = createReportExports(graph, request.appId);
  const exported = await attempt(graph, () => exports.next(limitSlowExports(graph)));
  if (exported.failure !== undefined) {
    return readBySynchronousAction(graph, request, { otherFailure: exported.failure });
  }
  return exported.value === undefined
    ? readBesideSlowExports(graph, request, exports)
    : proveExport(graph, request, exports, exported.value);
}

async function proveExport(
  graph: Graph,
  request: ReportRequest,
  exports: ReportExports,
  rows: readonly ReportRow[],
): Promise<AppReport> {
  const counted = await attempt(graph, () => readTotal(toOptionalGraph(graph), request.appId));
  if (counted.failure !== undefined) {
    return readByExports(graph, request, exports, { known: rows, otherFailure: counted.failure });
  }
  request.onCounted({ rows: rows.length, total: counted.value });
  if (fits(request, rows, counted.value)) {
    return { rows, proof: 'both ways' };
  }
  const again = await attempt(graph, () => exports.next(limitSlowExports(graph)));
  if (again.value !== undefined) {
    const { value: total = counted.value } = await attempt(graph, () =>
      readTotal(toOptionalGraph(graph), request.appId),
    );
    request.onCounted({ rows: again.value.length, total });
    if (fits(request, again.value, total)) {
      return { rows: again.value, proof: 'both ways' };
    }
  }
  return readBySynchronousAction(graph, request, { total: counted.value, otherFailure: again.failure });
}

/** The exports may still complete: what the synchronous action lacks is waited for as long as the source has time. */
async function readBesideSlowExports(graph: Graph, request: ReportRequest, exports: ReportExports): Promise<AppReport> {
  const walked = await attempt(graph, () => readReportRows(toOptionalGraph(graph), request.appId, request.onCounted));
  if (walked.failure !== undefined) {
    return readByExports(graph, request, exports, { otherFailure: walked.failure });
  }
  const { length: total } = walked.value;
  const late = await attempt(graph, () => exports.next(limitExports(graph, shortLook)));
  if (late.value !== undefined && fits(request, late.value, total)) {
    return { rows: late.value, proof: 'both ways' };
  }
  const evidence = { known: walked.value, otherFailure: late.failure };
  const repeated = await attempt(graph, () => readBySynchronousAction(graph, request, evidence));
  if (repeated.failure === undefined) {
    return repeated.value;
  }
  const waited = await attempt(graph, () => exports.next(limitExports(graph), false));
  if (waited.value !== undefined && fits(request, waited.value, total)) {
    request.onCounted({ rows: waited.value.length, total });
    return { rows: waited.value, proof: 'both ways' };
  }
  throw joinFailures(repeated.failure, waited.failure);
}

/** What is known when one way has to prove its answer alone. */
interface Evidence {
  /** Rows that it gave before. */
  readonly known?: readonly ReportRow[];
  /** A number of rows that it gave before. */
  readonly total?: number;
  /** Why the other way is no second opinion. */
  readonly otherFailure?: MusterError | undefined;
}

function readBySynchronousAction(graph: Graph, request: ReportRequest, evidence: Evidence): Promise<AppReport> {
  const read = () => readReportRows(graph, request.appId, request.onCounted);
  return readUntilProved(graph, request, 'synchronous twice', read, evidence);
}

function readByExports(
  graph: Graph,
  request: ReportRequest,
  exports: ReportExports,
  evidence: Evidence,
): Promise<AppReport> {
  let total = evidence.known?.length;
  const read = async () => {
    const rows = await exports.next(limitExports(graph), false);
    if (rows === undefined) {
      throw new MusterError(
        'export-failed',
        `${graph.who} did not complete an export of app ${request.appId} in the time of this run. Run again later.`,
      );
    }
    request.onCounted({ rows: rows.length, total });
    total = Math.max(total ?? 0, rows.length);
    return rows;
  };
  return readUntilProved(graph, request, 'export twice', read, evidence);
}

/** Reads again until an answer agrees with the largest so far: a smaller one never overrules a larger one. */
async function readUntilProved(
  graph: Graph,
  request: ReportRequest,
  proof: AnswersProof,
  read: () => Promise<readonly ReportRow[]>,
  { known, total, otherFailure }: Evidence,
): Promise<AppReport> {
  let largest = known;
  let hasEarlierAnswer = known !== undefined || total !== undefined;
  for (let answers = hasEarlierAnswer ? 1 : 0; answers < maximumAnswers; answers += 1) {
    const { value: rows, failure } = await attempt(graph, read);
    if (failure !== undefined) {
      throw joinFailures(failure, otherFailure);
    }
    const isExpected = fits(request, rows, Math.max(total ?? 0, largest?.length ?? 0));
    if (hasEarlierAnswer && isExpected && isSameReport(rows, largest ?? rows)) {
      return { rows, proof };
    }
    hasEarlierAnswer = true;
    largest = largest === undefined || rows.length > largest.length ? rows : largest;
  }
  throw joinFailures(createUnprovedError(graph.who, request, largest?.length ?? 0), otherFailure);
}

function fits({ baseline }: ReportRequest, rows: readonly ReportRow[], total: number): boolean {
  return compareRows(rows.length, total, baseline) === 'fits';
}

function limitSlowExports({ clock, deadline }: Graph): number {
  const now = clock.elapsed();
  return now + Math.min(slowExports, (deadline - now) * slowExportsShare);
}

function limitExports({ clock, deadline }: Graph, milliseconds = longestExports): number {
  return Math.min(deadline, clock.elapsed() + milliseconds);
}

function joinFailures(failure: MusterError, earlier: MusterError | undefined): MusterError {
  return earlier === undefined
    ? failure
    : new MusterError(failure.code, `${failure.message} Before that: ${earlier.message}`, { cause: failure });
}

function createUnprovedError(who: string, { appId, baseline }: ReportRequest, rows: number): MusterError {
  if (rows > 0) {
    return new MusterError(
      'rows-missing',
      `${who} returned reports of app ${appId} that do not agree, ${rows} ${pluralize(rows, 'row')} at most. Run again later.`,
    );
  }
  return new MusterError(
    'rows-missing',
    `${who} returned no row in the report of app ${appId}, where the last good run had ${baseline ?? 0}. ` +
      'Check in the admin centre that the app is still assigned; if another app replaces it, name that one in the settings.',
  );
}
