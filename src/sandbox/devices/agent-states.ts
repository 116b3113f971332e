/** The agent's possible histories: what the platform holds for each, and what is true about it. */
import type { Mac, StateRow, Verdict } from './model.ts';

const installed: Verdict = { status: 'Installed', reason: 'reported', provable: true };
const missing: Verdict = { status: 'Not Installed', reason: 'reported', provable: true };
const contradicted: Verdict = { status: 'Installed', reason: 'reported', provable: false };
const uninstallFailed: Verdict = { status: 'Installed', reason: 'uninstall-failed', provable: false };
const failed: Verdict = { status: 'Not Installed', reason: 'install-failed', provable: true };
const pending: Verdict = { status: 'Not Installed', reason: 'install-pending', provable: true };
const notApplicable: Verdict = { status: 'Not Installed', reason: 'not-applicable', provable: false };
const unknown: Verdict = { status: 'Not Installed', reason: 'state-unknown', provable: false };
const nonsense: Verdict = { status: 'Not Installed', reason: 'unrecognised-value', provable: false };
export const neverReported: Verdict = { status: 'Not Installed', reason: 'never-reported', provable: false };

export interface MacAgent {
  readonly verdict: Verdict;
  readonly answer: Mac['answer'];
}

const text = (verdict: Verdict, ...values: string[]): MacAgent => ({ verdict, answer: { values } });

export const macAgents = {
  installed: text(installed, 'Installed'),
  missing: text(missing, 'Not Installed'),
  installedWithSpace: text(installed, 'Installed \n'),
  missingWithSpace: text(missing, '  Not Installed'),
  // Servers give `values: []` for a script that never reported; blank text comes from an empty result tag.
  nothing: text(neverReported),
  empty: text(neverReported, ''),
  blank: text(neverReported, ' \t '),
  noValues: { verdict: neverReported, answer: { values: null } },
  absent: { verdict: neverReported, answer: undefined },
  lowerCase: text(nonsense, 'installed'),
  shellError: text(nonsense, '/bin/sh: line 3: test: too many arguments'),
  longer: text(nonsense, 'Installed (7.1)'),
  halfCase: text(nonsense, 'Not installed'),
} satisfies Record<string, MacAgent>;

export interface WindowsAgent {
  readonly verdict: Verdict;
  readonly rows: readonly StateRow[];
}

const row = (
  state: number,
  hoursBefore: number | null = 1,
  user: StateRow['user'] = 0,
  detail = 0,
  error = 0,
): StateRow => ({
  state,
  detail,
  error,
  user,
  hoursBefore,
});
// 0x87D1041C: the installer ran but the rule did not find the file.
const notDetected = -2016345060;

export const windowsAgents = {
  installed: { verdict: installed, rows: [row(1)] },
  missing: { verdict: missing, rows: [row(3)] },
  failed: { verdict: failed, rows: [row(2, 1, 0, 2000, notDetected)] },
  uninstallFailed: { verdict: uninstallFailed, rows: [row(4, 1, 0, 4000, notDetected)] },
  pending: { verdict: pending, rows: [row(5, 1, 0, 5002)] },
  pendingRestart: { verdict: pending, rows: [row(5, 1, 0, 5000)] },
  notApplicable: { verdict: notApplicable, rows: [row(-1, 1, 0, -1002)] },
  unknown: { verdict: unknown, rows: [row(99)] },
  newNumber: { verdict: unknown, rows: [row(42)] },
  zero: { verdict: unknown, rows: [row(0)] },
  nothing: { verdict: neverReported, rows: [] },
  systemContext: { verdict: installed, rows: [row(1, 1, null)] },
  undated: { verdict: installed, rows: [row(1, null)] },
  twoUsersInstalled: { verdict: installed, rows: [row(1, 30, 1), row(1, 1)] },
  installedAfterMissing: { verdict: installed, rows: [row(3, 40, 1), row(1, 1)] },
  installedThenMissing: { verdict: contradicted, rows: [row(1, 40), row(3, 1, 1)] },
  installedThenFailed: { verdict: contradicted, rows: [row(2, 1, 1, 2000, notDetected), row(1, 25)] },
  uninstallFailedThenMissing: { verdict: uninstallFailed, rows: [row(4, 25, 0, 4000, notDetected), row(3, 1, 1)] },
  missingThenFailed: { verdict: failed, rows: [row(3, 26), row(2, 1, 1, 2000, notDetected)] },
  failedThenMissing: { verdict: missing, rows: [row(3, 1, 1), row(2, 26, 0, 2000, notDetected)] },
  missingThenNotApplicable: { verdict: notApplicable, rows: [row(3, 60), row(-1, 1, null, -1002)] },
  notApplicableThenMissing: { verdict: missing, rows: [row(-1, 60, null, -1002), row(3, 1)] },
} satisfies Record<string, WindowsAgent>;
