/**
 * Findings: a device that lacks the agent has one, which opens and closes only by what a complete source says. What is
 * open is what each source's baseline says, so that it is closed however it ends.
 */
import type { EndedFinding, FindingReason, JudgedDevice, JudgedSource, NightFindings } from './judged.ts';
import { toDeviceKey } from './match-devices.ts';
import { isSameSource } from './source-input.ts';
import type { BaselineDevice, State } from './state.ts';
import type { ExcludedBecause } from './vocabulary.ts';

/** Not Installed and counted, or exempted by a person. */
export function hasFinding({
  status,
  counted,
  excludedBecause,
}: Pick<JudgedDevice, 'status' | 'counted'> & { readonly excludedBecause?: ExcludedBecause | undefined }): boolean {
  return status === 'Not Installed' && (counted || excludedBecause === 'exempt');
}

export function decideFindings(
  previous: State | undefined,
  tonight: { readonly sources: readonly JudgedSource[]; readonly devices: readonly JudgedDevice[] },
  movedAway: ReadonlySet<string>,
): NightFindings {
  const devices = new Map(tonight.devices.map((device) => [toDeviceKey(device.source, device.facts.id), device]));
  const known = new Set<string>();
  const ended: EndedFinding[] = [];
  for (const state of previous?.sources ?? []) {
    const source = tonight.sources.find((one) => isSameSource(one, state));
    const open = state.baseline?.devices.filter(hasFinding) ?? [];
    for (const before of open) {
      const key = toDeviceKey(state.name, before.facts.id);
      known.add(key);
      const device = devices.get(key);
      const isKnown = source === undefined || source.soundness === 'complete';
      if (isKnown && !(device && hasFinding(device))) {
        const isGone = device === undefined || source === undefined;
        const why = movedAway.has(key) ? 'moved' : 'removed';
        ended.push(isGone ? endUnlisted(state.name, before, why) : endListed(device));
      }
    }
  }
  return { known, ended };
}

function endUnlisted(source: string, { facts }: BaselineDevice, why: FindingReason): EndedFinding {
  const answeredAt = facts.answers.map(({ at }) => at).findLast((at) => at !== undefined) ?? facts.reportedAt;
  return { source, platform: facts.platform, device: facts, answeredAt, why, isPassing: false };
}

function endListed({ source, platform, facts, valueAt, status, excludedBecause, reason }: JudgedDevice): EndedFinding {
  const isPassing = status === 'Installed';
  const why = isPassing ? reason : (excludedBecause ?? reason);
  return { source, platform, device: facts, answeredAt: valueAt, why, isPassing };
}
