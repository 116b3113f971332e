/**
 * Reads all rows of one app's report and proves them complete. There are two ways to the rows, an export and the
 * synchronous action, and either is enough: a tenant may refuse one of them, and the service has removed one before.
 * Each is the second opinion for the other. Where only one answers, two agreeing answers of it are the proof.
 */
import { MusterError } from '../../../base/errors.ts';
import type { AnswersProof } from '../../../core/facts/vocabulary.ts';
import { pluralize } from '../../../core/text/pluralize.ts';
import { type Attempt, attempt } from '../../reading/attempt.ts';
import { type Graph, toOptionalGraph } from '../client.ts';
import { isPlausibleCount, isSameReport } from './compare-rows.ts';
import { ReportExports } from './exports.ts';
import type { ReportRow } from './rows.ts';
import { type OnCounted, readReportRows, readTotal } from './synchronous.ts';

interface ReportRequest {
  readonly appId: string;
  /** Rows of the last good run; undefined unless they are known to be of this app alone. */
  readonly baseline: number | undefined;
  /** Called as soon as both numbers are known, so that a failure still shows them. */
  readonly onCounted: OnCounted;
}

interface AppReport {
  readonly rows: Rows;
  readonly proof: AnswersProof;
}

type Rows = readonly ReportRow[];

/** Evidence so far, when one way has to prove its answer alone. */
interface Evidence {
  /** Rows that it gave before. */
  readonly known?: Rows;
  /** A number of rows that it gave before. */
  readonly total?: number;
  /** The reason why the other way gives no second opinion. */
  readonly otherFailure: MusterError | undefined;
}

/** Answers of one way until two agree. */
const maximumAnswers = 3;
/** Milliseconds after which the synchronous action is asked beside exports that are still under way. */
const slowExports = 360_000;
/** Share of the source's time for exports before the synchronous action is asked. */
const slowExportsShare = 0.5;
/** Milliseconds that exports may take where there is no deadline. */
const longestExports = 7_200_000;
/** Milliseconds for another look at exports that were slow. */
const shortLook = 10_000;

export function readAppReport(graph: Graph, request: ReportRequest): Promise<AppReport> {
  return new ReportProof(graph, request).read();
}

class ReportProof {
  readonly #graph: Graph;
  /** The tenant with little patience, used while the other way may answer. */
  readonly #optional: Graph;
  readonly #request: ReportRequest;
  readonly #exports: ReportExports;

  constructor(graph: Graph, request: ReportRequest) {
    this.#graph = graph;
    this.#optional = toOptionalGraph(graph);
    this.#request = request;
    this.#exports = new ReportExports(request.appId);
  }

  async read(): Promise<AppReport> {
    const exported = await this.#attemptExport();
    if (exported.failure !== undefined) {
      return this.#walkUntilTwoAgree({ otherFailure: exported.failure });
    }
    return exported.value === undefined ? this.#readBesideSlowExports() : this.#proveExport(exported.value);
  }

  async #proveExport(rows: Rows): Promise<AppReport> {
    const counted = await this.#attemptTotal();
    if (counted.failure !== undefined) {
      return this.#exportUntilTwoAgree({ known: rows, otherFailure: counted.failure });
    }
    const proved = this.#compareWays(rows, counted.value);
    if (proved !== undefined) {
      return proved;
    }
    // Compares again with a fresh job.
    const again = await this.#attemptExport();
    const { value: total = counted.value } = again.value === undefined ? counted : await this.#attemptTotal();
    const provedAgain = again.value && this.#compareWays(again.value, total);
    return provedAgain ?? this.#walkUntilTwoAgree({ total: counted.value, otherFailure: again.failure });
  }

  /** Asks the synchronous action while exports are slow; waits for an export as long as the source has time if that fails. */
  async #readBesideSlowExports(): Promise<AppReport> {
    const walked = await this.#attempt(() => this.#walk(this.#optional));
    if (walked.failure !== undefined) {
      return this.#exportUntilTwoAgree({ otherFailure: walked.failure });
    }
    const { length: total } = walked.value;
    const look = await this.#attempt(() => this.#compareNextExport(this.#optional, shortLook, total));
    if (look.value !== undefined) {
      return look.value;
    }
    const evidence = { known: walked.value, otherFailure: look.failure };
    const repeated = await this.#attempt(() => this.#walkUntilTwoAgree(evidence));
    if (repeated.failure === undefined) {
      return repeated.value;
    }
    const late = await this.#attempt(() => this.#compareNextExport(this.#graph, longestExports, total));
    if (late.value !== undefined) {
      return late.value;
    }
    throw joinFailures(repeated.failure, late.failure);
  }

  #walkUntilTwoAgree(evidence: Evidence): Promise<AppReport> {
    return this.#readUntilTwoAgree('synchronous twice', () => this.#walk(this.#graph), evidence);
  }

  #exportUntilTwoAgree(evidence: Evidence): Promise<AppReport> {
    const { appId, onCounted } = this.#request;
    let total = evidence.known?.length;
    const read = async () => {
      const rows = await this.#readNextExport(this.#graph, longestExports);
      if (rows === undefined) {
        throw new MusterError(
          'export-failed',
          `${this.#graph.who} did not complete an export of app ${appId} in the time of this run. Run again later.`,
        );
      }
      onCounted({ rows: rows.length, total });
      total = Math.max(total ?? 0, rows.length);
      return rows;
    };
    return this.#readUntilTwoAgree('export twice', read, evidence);
  }

  /** Reads again until an answer agrees with the largest so far; a smaller one never overrules a larger one. */
  async #readUntilTwoAgree(
    proof: AnswersProof,
    read: () => Promise<Rows>,
    { known, total, otherFailure }: Evidence,
  ): Promise<AppReport> {
    const { baseline } = this.#request;
    const earlierAnswers = known === undefined && total === undefined ? 0 : 1;
    let largest = known;
    for (let answers = earlierAnswers; answers < maximumAnswers; answers += 1) {
      const { value: rows, failure } = await this.#attempt(read);
      if (failure !== undefined) {
        throw joinFailures(failure, otherFailure);
      }
      const expected = Math.max(total ?? 0, largest?.length ?? 0);
      const isExpected = isPlausibleCount(rows.length, expected, baseline);
      if (answers > 0 && isExpected && isSameReport(rows, largest ?? rows)) {
        return { rows, proof };
      }
      largest = largest !== undefined && largest.length >= rows.length ? largest : rows;
    }
    throw joinFailures(createUnprovedError(this.#graph.who, this.#request, largest?.length ?? 0), otherFailure);
  }

  #attempt<T>(read: () => Promise<T>): Promise<Attempt<T>> {
    return attempt(this.#graph.signal, read);
  }

  #attemptExport(): Promise<Attempt<Rows | undefined>> {
    const { clock, deadline } = this.#graph;
    const limit = Math.min(slowExports, (deadline - clock.elapsed()) * slowExportsShare);
    return this.#attempt(() => this.#readNextExport(this.#optional, limit));
  }

  #attemptTotal(): Promise<Attempt<number>> {
    return this.#attempt(() => readTotal(this.#optional, this.#request.appId));
  }

  #walk(graph: Graph): Promise<Rows> {
    return readReportRows(graph, this.#request.appId, this.#request.onCounted);
  }

  /** Rows of the next export; undefined where none completes within the milliseconds. */
  #readNextExport(graph: Graph, milliseconds: number): Promise<Rows | undefined> {
    return this.#exports.next(graph, Math.min(graph.deadline, graph.clock.elapsed() + milliseconds));
  }

  async #compareNextExport(graph: Graph, milliseconds: number, total: number): Promise<AppReport | undefined> {
    const rows = await this.#readNextExport(graph, milliseconds);
    return rows && this.#compareWays(rows, total);
  }

  /** The report; undefined where exported rows differ too much from the synchronous action's number. */
  #compareWays(rows: Rows, total: number): AppReport | undefined {
    this.#request.onCounted({ rows: rows.length, total });
    const isProved = isPlausibleCount(rows.length, total, this.#request.baseline);
    return isProved ? { rows, proof: 'both ways' } : undefined;
  }
}

function createUnprovedError(who: string, { appId, baseline }: ReportRequest, rows: number): MusterError {
  const sentence =
    rows > 0
      ? `${who} returned reports of app ${appId} that do not agree, ${rows} ${pluralize(rows, 'row')} at most. Run again later.`
      : `${who} returned no row in the report of app ${appId}, where the last good run had ${baseline ?? 0}. ` +
        'Check in the admin centre that the app is still assigned; if another app replaces it, name that one in the settings.';
  return new MusterError('rows-missing', sentence);
}

function joinFailures(failure: MusterError, earlier: MusterError | undefined): MusterError {
  return earlier === undefined
    ? failure
    : new MusterError(failure.code, `${failure.message} Before that: ${earlier.message}`, { cause: failure });
}
