/**
 * The contract of a check, and how a list of checks becomes findings. A check is one object in `jamf/` or `intune/`, in
 * the file of its family, and one line of the list in its `checks.ts`.
 */
import { isRecord } from '../../base/is-record.ts';
import type { CheckResult } from '../../core/facts/facts.ts';
import type { IdentityMode } from '../definition.ts';
import type { DeploymentSettings } from '../settings.ts';
import { reportNotChecked, type Verdict } from './verdicts.ts';

/** What a check is about, for reports and documents. */
export interface CheckDescription {
  readonly id: string;
  /** What passes; a text of the settings where they may name something else. */
  readonly expected: string | ((settings: DeploymentSettings) => string);
  /** What no API shows, so that the check can pass although it is wrong. */
  readonly blindSpot: string;
  /** The settings without which it is not made. */
  readonly needs?: readonly string[];
  /** Those that change what it expects. */
  readonly settings?: readonly string[];
  /** The heading under which `muster check` shows it, where that is another than "deployment". */
  readonly group?: string;
  /**
   * It decides if the values can be trusted: only such checks decide a run's exit code. With `when-read`, it decides
   * nothing where it could not be read.
   */
  readonly instrument?: true | 'when-read';
  /** The identity mode that it belongs to; where the settings have another one, it is left out. */
  readonly mode?: IdentityMode;
}

/** `Reading` is what a source of one kind has read. */
export interface Check<Reading> extends CheckDescription {
  /** A pure function. What could not be read is `unknown`, never `pass`. */
  readonly judge: (reading: Reading, context: CheckContext) => Verdict;
}

/** The settings, and the time against which dates in them are judged: the slot's scheduled time, never the wall clock. */
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

/** A setting by its path, as documents and findings write it: `deployment.macos.policy`. */
function readSetting(settings: DeploymentSettings, path: string): unknown {
  const [, ...keys] = path.split('.');
  return keys.reduce<unknown>((block, key) => (isRecord(block) ? block[key] : undefined), settings);
}
