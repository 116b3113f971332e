/**
 * Canaries: machines kept on purpose with or without the agent. A proven answer that contradicts a canary's purpose
 * shows a fault somewhere in the chain of script, inventory, platform and our reading.
 */
import type { Canary } from '../facts/company.ts';
import type { CheckResult } from '../facts/facts.ts';
import type { NamedMachine } from '../ledger/entries.ts';
import type { Machine } from '../machine/machines.ts';
import { foldSerialNumber } from '../machine/serial-numbers.ts';
import { isAnswerProven } from '../record/proof.ts';

/** A canary of a run. */
export interface JudgedCanary {
  readonly canary: Canary;
  /** Machines that are kept on purpose as they are: no event and no reminder names them. */
  readonly machines: readonly NamedMachine[];
  readonly finding: CheckResult;
  /** Names of the sources whose proven answers contradict the canary's purpose. */
  readonly wrongSources: readonly string[];
}

/** Checks the canaries; `isRead` says whether a source answered completely. */
export function checkCanaries(
  canaries: readonly Canary[],
  machines: readonly NamedMachine[],
  isRead: (source: string) => boolean,
): JudgedCanary[] {
  return canaries.map((canary) => {
    const kept = listCanaryMachines(canary, machines);
    const own = kept.map(({ machine }) => machine);
    const wrong = own.filter((machine) => isProven(machine) && machine.standing.answer.status !== canary.expect);
    const finding = describeCanary(canary, isRead(canary.source) ? own : undefined, wrong.length > 0);
    return { canary, machines: kept, finding, wrongSources: wrong.map(({ standing }) => standing.source) };
  });
}

/** Machines that have the canary's serial number in a record of the canary's source. */
function listCanaryMachines({ source, serial }: Canary, machines: readonly NamedMachine[]): NamedMachine[] {
  const folded = foldSerialNumber(serial);
  return machines.filter(({ machine }) =>
    machine.records.some(
      (record) => record.source === source && foldSerialNumber(record.facts.serialNumber ?? '') === folded,
    ),
  );
}

function describeCanary(
  { serial, expect }: Canary,
  machines: readonly Machine[] | undefined,
  isWrong: boolean,
): CheckResult {
  const common = { check: `${canaryPrefix}${serial}`, expected: expect, instrument: false };
  if (machines === undefined) {
    return { ...common, result: 'unknown', found: 'the source did not answer completely', advice: '' };
  }
  const names = machines.map(({ standing: { answer, facts } }) => `${answer.status} (device ${facts.id})`).join(', ');
  if (isWrong) {
    return {
      ...common,
      result: 'fail',
      found: names,
      advice: 'Find out whether the machine was changed or the measurement is wrong: script, inventory and platform.',
    };
  }
  if (machines.some(isProven)) {
    return { ...common, result: 'pass', found: names, advice: '' };
  }
  return {
    ...common,
    result: 'unknown',
    found: machines.length === 0 ? 'no device has this serial number' : `${names}, not proven`,
    advice: 'Switch the machine on and let it report, or correct deployment.canaries.',
  };
}

/** Whether the machine's status is proven; two kinds of records that contradict each other prove nothing. */
function isProven({ standing, contradicting }: Machine): boolean {
  return isAnswerProven(standing.answer) && contradicting === undefined;
}

const canaryPrefix = 'canary.';

/** Whether a check is a canary's: it is reported with its source rather than as a difference of the deployment. */
export function isCanaryCheck({ check }: Pick<CheckResult, 'check'>): boolean {
  return check.startsWith(canaryPrefix);
}
