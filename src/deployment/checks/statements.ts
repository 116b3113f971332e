/**
 * Dated statements of a person in the settings: an attestation of what no API shows, and the acceptance of a script or
 * a detection rule by its SHA-256. Each counts for a year.
 */
import { computeSha256 } from '../../base/sha256.ts';
import { addDays, millisecondsPerDay } from '../../core/facts/calendar.ts';
import type { Statement } from '../../core/facts/facts.ts';
import type { AttestationId, DeploymentSettings } from '../../settings/deployment/deployment.ts';
import type { CheckContext } from './check.ts';
import { fail, pass, type Verdict } from './verdicts.ts';

const year = 365;

/** Why a statement of that date, YYYY-MM-DD, does not count. One day more in either direction allows for time zones. */
export function findStatementProblem(on: string, moment: Date): string | undefined {
  const age = (moment.getTime() - Date.parse(`${on}T00:00:00Z`)) / millisecondsPerDay;
  if (age >= -1 && age <= year + 1) {
    return undefined;
  }
  return age > 0 ? 'more than a year ago' : 'a date in the future';
}

/** Every attestation and acceptance in the settings, with the last date on which it counts. */
export function listStatements({ attested, accepted }: Pick<DeploymentSettings, 'attested' | 'accepted'>): Statement[] {
  const attestations = Object.entries(attested).flatMap(([about, on]): Statement[] =>
    on === undefined ? [] : [{ kind: 'attestation', about, on, until: addDays(on, year) }],
  );
  const acceptances = accepted.map(
    ({ sha256, by, on }): Statement => ({ kind: 'acceptance', about: sha256, by, on, until: addDays(on, year) }),
  );
  return [...attestations, ...acceptances];
}

/** What no API shows is not checked before somebody has attested it. */
export function judgeAttestation(id: AttestationId, { settings, moment }: CheckContext, advice: string): Verdict {
  const on = settings.attested[id];
  if (on === undefined) {
    return { result: 'not-checked', found: '', advice };
  }
  const problem = findStatementProblem(on, moment);
  return problem === undefined ? pass(`attested on ${on}`) : fail(`attested on ${on}, ${problem}`, advice);
}

interface Review {
  readonly accepted: boolean;
  /** The hash, and who accepted it when: follows what was found. */
  readonly words: string;
  /** The line for the settings that accepts it. */
  readonly line: string;
}

/** Where one text was accepted several times, one acceptance that still counts is sufficient. */
export function reviewText(text: string, { settings, slot, moment }: CheckContext): Review {
  const sha256 = computeSha256(text);
  const line = `- { sha256: ${sha256}, by: YOUR NAME, on: ${slot} }`;
  const all = settings.accepted
    .filter((entry) => entry.sha256 === sha256)
    .map((entry) => ({ ...entry, problem: findStatementProblem(entry.on, moment) }));
  const found = all.find(({ problem }) => problem === undefined) ?? all[0];
  if (found === undefined) {
    return { accepted: false, words: `(SHA-256 ${sha256})`, line };
  }
  const { by, on, problem } = found;
  const words = `(SHA-256 ${sha256}), accepted by ${by} on ${on}`;
  return problem === undefined
    ? { accepted: true, words, line }
    : { accepted: false, words: `${words}, ${problem}, which does not count`, line };
}
