/** The proof where only one of the two ways answers: two agreeing answers of it. */
import { MusterError } from '../../../base/errors.ts';
import type { AnswersProof } from '../../../core/facts/vocabulary.ts';
import { pluralize } from '../../../core/text/pluralize.ts';
import { readUntilAgreed } from '../../reading/agree.ts';
import { attempt } from '../../reading/attempt.ts';
import type { Graph } from '../client.ts';
import { isPlausibleCount, isSameReport } from './compare-rows.ts';
import type { ReportRow } from './rows.ts';
import type { OnCounted } from './synchronous.ts';

export interface ReportRequest {
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

export type Rows = readonly ReportRow[];

/** What is known when one way has to prove its answer alone. */
export interface Evidence {
  /** Rows that it gave before. */
  readonly known?: Rows;
  /** A number of rows that it gave before. */
  readonly total?: number;
  /** Why the other way is no second opinion. */
  readonly otherFailure?: MusterError | undefined;
}

interface OneWay {
  readonly proof: AnswersProof;
  readonly read: () => Promise<Rows>;
  readonly evidence: Evidence;
}

/** Answers of one way until two agree. */
const maximumAnswers = 3;

/** Reads again until an answer agrees with the largest so far: a smaller one never overrules a larger one. */
export function readUntilProved(
  graph: Graph,
  request: ReportRequest,
  { proof, read, evidence: { known, total, otherFailure } }: OneWay,
): Promise<AppReport> {
  const hasEarlierAnswer = known !== undefined || total !== undefined;
  return readUntilAgreed(
    hasEarlierAnswer ? maximumAnswers - 1 : maximumAnswers,
    known,
    async (largest, answers) => {
      const { value: rows, failure } = await attempt(graph.signal, read);
      if (failure !== undefined) {
        throw joinFailures(failure, otherFailure);
      }
      const expected = Math.max(total ?? 0, largest?.length ?? 0);
      const isExpected = isPlausibleCount(rows.length, expected, request.baseline);
      if ((hasEarlierAnswer || answers > 1) && isExpected && isSameReport(rows, largest ?? rows)) {
        return { agreed: { rows, proof } };
      }
      return { known: largest === undefined || rows.length > largest.length ? rows : largest };
    },
    (largest) => joinFailures(createUnprovedError(graph.who, request, largest?.length ?? 0), otherFailure),
  );
}

function createUnprovedError(who: string, { appId, baseline }: ReportRequest, rows: number): MusterError {
  const sentence =
    rows > 0
      ? `${who} returned reports of app ${appId} that do not agree, ${rows} ${pluralize(rows, 'row')} at most. Run again later.`
      : `${who} returned no row in the report of app ${appId}, where the last good run had ${baseline ?? 0}. ` +
        'Check in the admin centre that the app is still assigned; if another app replaces it, name that one in the settings.';
  return new MusterError('rows-missing', sentence);
}

export function joinFailures(failure: MusterError, earlier: MusterError | undefined): MusterError {
  return earlier === undefined
    ? failure
    : new MusterError(failure.code, `${failure.message} Before that: ${earlier.message}`, { cause: failure });
}
