/** The agent's possible histories: what the platform holds for each, and what is true about it. */
import type { AgentTruth, Mac, StateRow } from './model.ts';

const installed: AgentTruth = { status: 'Installed', reason: 'reported', provable: true };
const missing: AgentTruth = { status: 'Not Installed', reason: 'reported', provable: true };
const contradicted: AgentTruth = { status: 'Installed', reason: 'reported', provable: false };
const uninstallFailed: AgentTruth = { status: 'Installed', reason: 'uninstall-failed', provable: false };
const failed: AgentTruth = { status: 'Not Installed', reason: 'install-failed', provable: true };
const pending: AgentTruth = { status: 'Not Installed', reason: 'install-pending', provable: true };
const notApplicable: AgentTruth = { status: 'Not Installed', reason: 'not-applicable', provable: false };
const unknown: AgentTruth = { status: 'Not Installed', reason: 'state-unknown', provable: false };
const nonsense: AgentTruth = { status: 'Not Installed', reason: 'unrecognised-value', provable: false };
export const neverReported: AgentTruth = { status: 'Not Installed', reason: 'never-reported', provable: false };

export interface MacAgentState {
  readonly truth: AgentTruth;
  readonly attributeEntry: Mac['attributeEntry'];
}

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
  lowerCase: createMacState(nonsense, 'installed'),
  shellError: createMacState(nonsense, '/bin/sh: line 3: test: too many arguments'),
  longer: createMacState(nonsense, 'Installed (7.1)'),
  halfCase: createMacState(nonsense, 'Not installed'),
} satisfies Record<string, MacAgentState>;

export interface WindowsAgentState {
  readonly truth: AgentTruth;
  readonly stateRows: readonly StateRow[];
}

// 0x87D1041C: the installer ran but the rule did not find the file.
const notDetected = -2016345060;

export const windowsAgentStates = {
  installed: { truth: installed, stateRows: [createStateRow(1)] },
  missing: { truth: missing, stateRows: [createStateRow(3)] },
  failed: { truth: failed, stateRows: [createStateRow(2, 1, 0, 2000, notDetected)] },
  uninstallFailed: { truth: uninstallFailed, stateRows: [createStateRow(4, 1, 0, 4000, notDetected)] },
  pending: { truth: pending, stateRows: [createStateRow(5, 1, 0, 5002)] },
  pendingRestart: { truth: pending, stateRows: [createStateRow(5, 1, 0, 5000)] },
  notApplicable: { truth: notApplicable, stateRows: [createStateRow(-1, 1, 0, -1002)] },
  unknown: { truth: unknown, stateRows: [createStateRow(99)] },
  newNumber: { truth: unknown, stateRows: [createStateRow(42)] },
  zero: { truth: unknown, stateRows: [createStateRow(0)] },
  nothing: { truth: neverReported, stateRows: [] },
  systemContext: { truth: installed, stateRows: [createStateRow(1, 1, null)] },
  undated: { truth: installed, stateRows: [createStateRow(1, null)] },
  twoUsersInstalled: { truth: installed, stateRows: [createStateRow(1, 30, 1), createStateRow(1, 1)] },
  installedAfterMissing: { truth: installed, stateRows: [createStateRow(3, 40, 1), createStateRow(1, 1)] },
  installedThenMissing: { truth: contradicted, stateRows: [createStateRow(1, 40), createStateRow(3, 1, 1)] },
  installedThenFailed: {
    truth: contradicted,
    stateRows: [createStateRow(2, 1, 1, 2000, notDetected), createStateRow(1, 25)],
  },
  uninstallFailedThenMissing: {
    truth: uninstallFailed,
    stateRows: [createStateRow(4, 25, 0, 4000, notDetected), createStateRow(3, 1, 1)],
  },
  missingThenFailed: { truth: failed, stateRows: [createStateRow(3, 26), createStateRow(2, 1, 1, 2000, notDetected)] },
  failedThenMissing: {
    truth: missing,
    stateRows: [createStateRow(3, 1, 1), createStateRow(2, 26, 0, 2000, notDetected)],
  },
  missingThenNotApplicable: {
    truth: notApplicable,
    stateRows: [createStateRow(3, 60), createStateRow(-1, 1, null, -1002)],
  },
  notApplicableThenMissing: { truth: missing, stateRows: [createStateRow(-1, 60, null, -1002), createStateRow(3, 1)] },
} satisfies Record<string, WindowsAgentState>;

function createMacState(verdict: AgentTruth, ...values: string[]): MacAgentState {
  return {
    truth: verdict,
    attributeEntry: { values },
  };
}

function createStateRow(
  state: number,
  hoursBefore: number | null = 1,
  user: StateRow['user'] = 0,
  detail = 0,
  error = 0,
): StateRow {
  return {
    state,
    detail,
    error,
    user,
    hoursBeforeSync: hoursBefore,
  };
}
