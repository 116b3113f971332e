/**
 * Reads all rows of one app's report and proves them complete. There are two ways to the rows, an export and the
 * synchronous action, and either is enough: a tenant may refuse one of them, and the service has removed one before.
 * Whichever answers, the other is the second opinion. Where only one answers, two agreeing answers of it are the proof.
 */
import { MusterError } from '../../../base/errors.ts';
import { type Attempt, attempt } from '../../reading/attempt.ts';
import { type Graph, toOptionalGraph } from '../client.ts';
import { isPlausibleCount } from './compare-rows.ts';
import { ReportExports } from './exports.ts';
import {
  type AppReport,
  type Evidence,
  joinFailures,
  type ReportRequest,
  type Rows,
  readUntilProved,
} from './one-way.ts';
import { readReportRows, readTotal } from './synchronous.ts';

/** Milliseconds after which the synchronous action is asked beside exports that are still under way. */
const slowExports = 360_000;
/** Exports get this share of the source's time before the synchronous action is asked. */
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
  /** Neither way is waited for long while the other may answer. */
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
      return this.#readBySynchronousAction({ otherFailure: exported.failure });
    }
    return exported.value === undefined ? this.#readBesideSlowExports() : this.#proveExport(exported.value);
  }

  async #proveExport(rows: Rows): Promise<AppReport> {
    const counted = await this.#attemptTotal();
    if (counted.failure !== undefined) {
      return this.#readByExports({ known: rows, otherFailure: counted.failure });
    }
    const proved = this.#compareWays(rows, counted.value);
    if (proved !== undefined) {
      return proved;
    }
    const again = await this.#attemptExport();
    if (again.value !== undefined) {
      const { value: total = counted.value } = await this.#attemptTotal();
      const provedAgain = this.#compareWays(again.value, total);
      if (provedAgain !== undefined) {
        return provedAgain;
      }
    }
    return this.#readBySynchronousAction({ total: counted.value, otherFailure: again.failure });
  }

  /** The exports may still complete: what the synchronous action lacks is waited for as long as the source has time. */
  async #readBesideSlowExports(): Promise<AppReport> {
    const walked = await this.#attempt(() => this.#readSynchronously(this.#optional));
    if (walked.failure !== undefined) {
      return this.#readByExports({ otherFailure: walked.failure });
    }
    const { length: total } = walked.value;
    const late = await this.#attempt(() => this.#exports.next(this.#optional, this.#limitExports(shortLook)));
    const proved = late.value && this.#compareWays(late.value, total);
    if (proved !== undefined) {
      return proved;
    }
    const evidence = { known: walked.value, otherFailure: late.failure };
    const repeated = await this.#attempt(() => this.#readBySynchronousAction(evidence));
    if (repeated.failure === undefined) {
      return repeated.value;
    }
    const waited = await this.#attempt(() => this.#exports.next(this.#graph, this.#limitExports()));
    const provedLast = waited.value && this.#compareWays(waited.value, total);
    if (provedLast === undefined) {
      throw joinFailures(repeated.failure, waited.failure);
    }
    return provedLast;
  }

  /** Undefined where exported rows differ too much from the number of the synchronous action. */
  #compareWays(rows: Rows, total: number): AppReport | undefined {
    this.#request.onCounted({ rows: rows.length, total });
    return this.#fits(rows, total) ? { rows, proof: 'both ways' } : undefined;
  }

  #readBySynchronousAction(evidence: Evidence): Promise<AppReport> {
    return readUntilProved(this.#graph, this.#request, {
      proof: 'synchronous twice',
      read: () => this.#readSynchronously(this.#graph),
      evidence,
    });
  }

  #readByExports(evidence: Evidence): Promise<AppReport> {
    const { appId, onCounted } = this.#request;
    let total = evidence.known?.length;
    const read = async () => {
      const rows = await this.#exports.next(this.#graph, this.#limitExports());
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
    return readUntilProved(this.#graph, this.#request, { proof: 'export twice', read, evidence });
  }

  #attempt<T>(read: () => Promise<T>): Promise<Attempt<T>> {
    return attempt(this.#graph.signal, read);
  }

  #attemptExport(): Promise<Attempt<Rows | undefined>> {
    const { clock, deadline } = this.#graph;
    const now = clock.elapsed();
    const until = now + Math.min(slowExports, (deadline - now) * slowExportsShare);
    return this.#attempt(() => this.#exports.next(this.#optional, until));
  }

  #attemptTotal(): Promise<Attempt<number>> {
    return this.#attempt(() => readTotal(this.#optional, this.#request.appId));
  }

  #readSynchronously(graph: Graph): Promise<Rows> {
    return readReportRows(graph, this.#request.appId, this.#request.onCounted);
  }

  #limitExports(milliseconds = longestExports): number {
    const { clock, deadline } = this.#graph;
    return Math.min(deadline, clock.elapsed() + milliseconds);
  }

  #fits(rows: Rows, total: number): boolean {
    return isPlausibleCount(rows.length, total, this.#request.baseline);
  }
}
