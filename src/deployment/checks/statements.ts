/**
 * Dated statements of a person in the settings: an attestation of a fact that no API shows, and the acceptance of a
 * script or a detection rule by its SHA-256. Each counts for a year.
 */
import { computeSha256 } from '../../base/sha256.ts';
import type { Statement } from '../../core/facts/company.ts';
import { addDays, millisecondsPerDay } from '../../core/time/calendar.ts';
import type { AttestationId, DeploymentSettings } from '../settings.ts';
import type { CheckContext } from './check.ts';
import { fail, pass, type Verdict } from './verdicts.ts';

const year = 365;

/** The reason why a statement of that date, YYYY-MM-DD, does not count. Time zones are allowed one day in either direction. */
export function findStatementProblem(on: string, moment: Date): string | undefined {
  const age = (moment.getTime() - Date.parse(`${on}T00:00:00Z`)) / millisecondsPerDay;
  if (age >= -1 && age <= year + 1) {
    return undefined;
  }
  return age > 0 ? 'more than a year ago' : 'a date in the future';
}

/** Every attestation and acceptance in the settings, with the last date on which it counts. */
export function listStatements({ attested, accepted }: Pick<DeploymentSettings, 'attested' | 'accepted'>): Statement[] {
  const statements = [
    ...Object.entries(attested).map(([about, on]) => ({ kind: 'attestation' as const, about, on })),
    ...accepted.map(({ sha256, by, on }) => ({ kind: 'acceptance' as const, about: sha256, by, on })),
  ];
  return statements.flatMap(({ on, ...rest }) => (on === undefined ? [] : [{ ...rest, on, until: addDays(on, year) }]));
}

/** Judges a fact that no API shows: not checked until a person has attested it. */
export function judgeAttestation(id: AttestationId, { settings, moment }: CheckContext, advice: string): Verdict {
  const on = settings.attested[id];
  if (on === undefined) {
    return { result: 'not-checked', found: '', advice };
  }
  const problem = findStatementProblem(on, moment);
  return problem === undefined ? pass(`attested on ${on}`) : fail(`attested on ${on}, ${problem}`, advice);
}

/**
 * Reviews a text: whether a person has accepted it, words that follow the finding, and the line of the settings that
 * would accept it. Of several acceptances of one text, one that still counts is enough.
 */
export function reviewText(text: string, { settings, slot, moment }: CheckContext) {
  const sha256 = computeSha256(text);
  const line = `- { sha256: ${sha256}, by: YOUR NAME, on: ${slot} }`;
  const all = settings.accepted
    .filter((entry) => entry.sha256 === sha256)
    .map((entry) => ({ ...entry, problem: findStatementProblem(entry.on, moment) }));
  const found = all.find(({ problem }) => problem === undefined) ?? all[0];
  const acceptance = found === undefined ? '' : `, accepted by ${found.by} on ${found.on}`;
  const doubt = found?.problem === undefined ? '' : `, ${found.problem}, which does not count`;
  const words = `(SHA-256 ${sha256})${acceptance}${doubt}`;
  return { accepted: acceptance !== '' && doubt === '', words, line };
}
