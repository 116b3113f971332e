/**
 * The contract of a check, and the conversion of checks to findings. A check is one object in `jamf/` or `intune/`, in
 * the file of its family, and one line of the list in its `checks.ts`.
 */
import { isRecord } from '../../base/is-record.ts';
import type { CheckResult } from '../../core/facts/facts.ts';
import type { IdentityMode } from '../definition.ts';
import type { DeploymentSettings } from '../settings.ts';
import { reportNotChecked, type Verdict } from './verdicts.ts';

/** The description of a check for reports and documents. */
export interface CheckDescription {
  readonly id: string;
  /** The state that passes; computed where the settings can change it. */
  readonly expected: string | ((settings: DeploymentSettings) => string);
  /** A fault that no API shows, so that the check passes in spite of it. */
  readonly blindSpot: string;
  /** Settings without which the check is not made. */
  readonly needs?: readonly string[];
  /** Settings that change the expected state. */
  readonly settings?: readonly string[];
  /** The heading under which `muster check` shows it, if not "deployment". */
  readonly group?: string;
  /**
   * True where it decides if the values can be trusted: only such checks decide a run's exit code. With `when-read`, it
   * decides nothing where it could not be read.
   */
  readonly instrument?: true | 'when-read';
  /** The identity mode to which it belongs; left out where the settings have another one. */
  readonly mode?: IdentityMode;
}

/** A check; `Reading` is everything that a source of one kind reads for checks. */
export interface Check<Reading> extends CheckDescription {
  /** Judges the reading; pure. Unreadable parts give `unknown`, never `pass`. */
  readonly judge: (reading: Reading, context: CheckContext) => Verdict;
}

/** The settings, and the time at which dates in them are judged: the slot's scheduled time, never the wall clock. */
export interface CheckContext {
  readonly settings: DeploymentSettings;
  /** The slot's date, YYYY-MM-DD. */
  readonly slot: string;
  readonly moment: Date;
}

export function runChecks<Reading>(
  checks: readonly Check<Reading>[],
  reading: Reading,
  context: CheckContext,
): CheckResult[] {
  const { identity } = context.settings;
  return checks
    .filter(({ mode }) => mode === undefined || identity === undefined || mode === identity)
    .map((check) => runCheck(check, reading, context));
}

export function runCheck<Reading>(check: Check<Reading>, reading: Reading, context: CheckContext): CheckResult {
  const { id, expected, instrument, needs = [] } = check;
  const missing = needs.find((path) => readSetting(context.settings, path) === undefined);
  const verdict = missing === undefined ? check.judge(reading, context) : reportNotChecked(missing);
  return {
    check: id,
    result: verdict.result,
    expected: typeof expected === 'string' ? expected : expected(context.settings),
    found: verdict.found,
    advice: verdict.advice,
    instrument: instrument === true || (instrument === 'when-read' && verdict.result !== 'unknown'),
    ...(verdict.unread && { unread: true }),
  };
}

/** Reads a setting by its path in documents and findings: `deployment.macos.policy`. */
function readSetting(settings: DeploymentSettings, path: string): unknown {
  const [, ...keys] = path.split('.');
  return keys.reduce<unknown>((block, key) => (isRecord(block) ? block[key] : undefined), settings);
}
