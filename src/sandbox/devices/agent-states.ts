/** The states that an agent can be in: what the platform holds for each, and what is true about it. */
import type { AgentTruth, MacAgentState, StateRow, WindowsAgentState } from './model.ts';

const installed: AgentTruth = { status: 'Installed', reason: 'reported', provable: true };
const missing: AgentTruth = { status: 'Not Installed', reason: 'reported', provable: true };
const contradicted: AgentTruth = { status: 'Installed', reason: 'reported', provable: false };
const uninstallFailed: AgentTruth = { status: 'Installed', reason: 'uninstall-failed', provable: false };
const failed: AgentTruth = { status: 'Not Installed', reason: 'install-failed', provable: true };
const pending: AgentTruth = { status: 'Not Installed', reason: 'install-pending', provable: true };
const notApplicable: AgentTruth = { status: 'Not Installed', reason: 'not-applicable', provable: false };
const unknown: AgentTruth = { status: 'Not Installed', reason: 'state-unknown', provable: false };
const unrecognised: AgentTruth = { status: 'Not Installed', reason: 'unrecognised-value', provable: false };
const neverReported: AgentTruth = { status: 'Not Installed', reason: 'never-reported', provable: false };

export const macAgentStates = {
  installed: createMacState(installed, 'Installed'),
  missing: createMacState(missing, 'Not Installed'),
  installedWithSpace: createMacState(installed, 'Installed \n'),
  missingWithSpace: createMacState(missing, '  Not Installed'),
  // Servers give `values: []` for a script that never reported; blank text comes from an empty result tag.
  nothing: createMacState(neverReported),
  empty: createMacState(neverReported, ''),
  blank: createMacState(neverReported, ' \t '),
  noValues: { truth: neverReported, attributeEntry: { values: null } },
  absent: { truth: neverReported, attributeEntry: undefined },
  lowerCase: createMacState(unrecognised, 'installed'),
  shellError: createMacState(unrecognised, '/bin/sh: line 3: test: too many arguments'),
  longer: createMacState(unrecognised, 'Installed (7.1)'),
  halfCase: createMacState(unrecognised, 'Not installed'),
} satisfies Record<string, MacAgentState>;

// 0x87D1041C: the installer ran but the rule did not find the file.
const notDetected = -2016345060;

export const windowsAgentStates = {
  installed: createWindowsState(installed, createStateRow(1)),
  missing: createWindowsState(missing, createStateRow(3)),
  failed: createWindowsState(failed, createStateRow(2, 1, 0, 2000, notDetected)),
  uninstallFailed: createWindowsState(uninstallFailed, createStateRow(4, 1, 0, 4000, notDetected)),
  pending: createWindowsState(pending, createStateRow(5, 1, 0, 5002)),
  pendingRestart: createWindowsState(pending, createStateRow(5, 1, 0, 5000)),
  notApplicable: createWindowsState(notApplicable, createStateRow(-1, 1, 0, -1002)),
  unknown: createWindowsState(unknown, createStateRow(99)),
  newNumber: createWindowsState(unknown, createStateRow(42)),
  zero: createWindowsState(unknown, createStateRow(0)),
  nothing: createWindowsState(neverReported),
  systemContext: createWindowsState(installed, createStateRow(1, 1, null)),
  undated: createWindowsState(installed, createStateRow(1, null)),
  twoUsersInstalled: createWindowsState(installed, createStateRow(1, 30, 1), createStateRow(1, 1)),
  installedAfterMissing: createWindowsState(installed, createStateRow(3, 40, 1), createStateRow(1, 1)),
  installedThenMissing: createWindowsState(contradicted, createStateRow(1, 40), createStateRow(3, 1, 1)),
  installedThenFailed: createWindowsState(
    contradicted,
    createStateRow(2, 1, 1, 2000, notDetected),
    createStateRow(1, 25),
  ),
  uninstallFailedThenMissing: createWindowsState(
    uninstallFailed,
    createStateRow(4, 25, 0, 4000, notDetected),
    createStateRow(3, 1, 1),
  ),
  missingThenFailed: createWindowsState(failed, createStateRow(3, 26), createStateRow(2, 1, 1, 2000, notDetected)),
  failedThenMissing: createWindowsState(missing, createStateRow(3, 1, 1), createStateRow(2, 26, 0, 2000, notDetected)),
  missingThenNotApplicable: createWindowsState(
    notApplicable,
    createStateRow(3, 60),
    createStateRow(-1, 1, null, -1002),
  ),
  notApplicableThenMissing: createWindowsState(missing, createStateRow(-1, 60, null, -1002), createStateRow(3, 1)),
} satisfies Record<string, WindowsAgentState>;

function createMacState(truth: AgentTruth, ...values: string[]): MacAgentState {
  return { truth, attributeEntry: { values } };
}

function createWindowsState(truth: AgentTruth, ...stateRows: StateRow[]): WindowsAgentState {
  return { truth, stateRows };
}

function createStateRow(
  state: number,
  hoursBeforeSync: number | null = 1,
  user: StateRow['user'] = 0,
  detail = 0,
  error = 0,
): StateRow {
  return { state, detail, error, user, hoursBeforeSync };
}
