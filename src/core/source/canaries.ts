/**
 * Canaries: machines kept on purpose with or without the agent. A proven answer that contradicts what they are kept for
 * shows that the chain of script, inventory, platform and our reading is broken somewhere.
 */

import { foldSerialNumber } from '../device/serial-numbers.ts';
import type { Canary, Finding } from '../facts/facts.ts';
import type { JudgedDevice } from '../facts/judged.ts';

/** `devices` are the source's; `isRead` is false where they are not tonight's. */
export function checkCanaries(
  canaries: readonly Canary[],
  devices: readonly JudgedDevice[],
  isRead: boolean,
): Finding[] {
  const current = canaries.length === 0 ? [] : devices.filter(({ judgement }) => judgement.supersededBy === undefined);
  const bySerialNumber = Map.groupBy(current, ({ facts }) => foldSerialNumber(facts.serialNumber ?? ''));
  return canaries.map((canary) =>
    checkCanary(canary, isRead ? (bySerialNumber.get(foldSerialNumber(canary.serial)) ?? []) : undefined),
  );
}

function checkCanary({ serial, expect }: Canary, found: readonly JudgedDevice[] | undefined): Finding {
  const common = { check: `${canaryPrefix}${serial}`, expected: expect, instrument: false };
  if (found === undefined) {
    return { ...common, result: 'unknown', found: 'the source did not answer completely', advice: '' };
  }
  const names = found.map(({ facts, judgement }) => `${judgement.status} (device ${facts.id})`).join(', ');
  if (found.some(({ judgement }) => judgement.proven && judgement.status !== expect)) {
    return {
      ...common,
      result: 'fail',
      found: names,
      advice: 'Find out whether the machine was changed or the measurement is wrong: script, inventory and platform.',
    };
  }
  if (found.some(({ judgement }) => judgement.proven)) {
    return { ...common, result: 'pass', found: names, advice: '' };
  }
  return {
    ...common,
    result: 'unknown',
    found: found.length === 0 ? 'no device has this serial number' : `${names}, not proven`,
    advice: 'Switch the machine on and let it report, or correct deployment.canaries.',
  };
}

const canaryPrefix = 'canary.';

/** A wrong canary is reported with its source, not as a difference of the deployment. */
export function isCanaryCheck({ check }: Pick<Finding, 'check'>): boolean {
  return check.startsWith(canaryPrefix);
}

/** Folded serial numbers of a source's canaries: no event is raised about them. */
export function listCanarySerialNumbers(canaries: readonly Canary[]): ReadonlySet<string> {
  return new Set(canaries.map(({ serial }) => foldSerialNumber(serial)));
}
