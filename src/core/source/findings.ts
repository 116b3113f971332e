/**
 * Findings: a device that lacks the agent has one, which opens and closes only by what a complete source says. What is
 * open is what each source's baseline says, and what a retracted run opened, so that it is closed however it ends.
 */

import { readValueTime } from '../device/judge-device.ts';
import { toDeviceKey } from '../device/match-devices.ts';
import type { EndedFinding, FindingReason, JudgedDevice, JudgedSource, NightFindings } from '../facts/judged.ts';
import type { BaselineFields, RetractedFinding, State } from '../facts/state.ts';
import { isWhole } from '../facts/vocabulary.ts';
import { isSameSource } from './source-input.ts';

/** Not Installed and counted, or exempted by a person. */
export function hasFinding(device: Pick<BaselineFields, 'status' | 'counted' | 'excludedBecause'>): boolean {
  return device.status === 'Not Installed' && (device.counted || device.excludedBecause === 'exempt');
}

/** Findings of retracted runs stay open while their sources have not answered completely. */
export function decideFindings(
  previous: State | undefined,
  tonight: { readonly sources: readonly JudgedSource[]; readonly devices: readonly JudgedDevice[] },
  movedAway: ReadonlySet<string>,
): { findings: NightFindings; retractedFindings: readonly RetractedFinding[] } {
  const retracted = previous?.retractedFindings ?? [];
  const open = new Map<string, RetractedFinding>();
  for (const finding of [...listOpenFindings(previous), ...retracted]) {
    const key = toDeviceKey(finding.source, finding.device.id);
    open.set(key, open.get(key) ?? finding);
  }
  const devices = new Map<string, JudgedDevice>();
  for (const device of open.size === 0 ? [] : tonight.devices) {
    const key = toDeviceKey(device.source, device.facts.id);
    if (open.has(key)) {
      devices.set(key, device);
    }
  }
  const ended: EndedFinding[] = [];
  const kept = new Set<RetractedFinding>();
  for (const [key, before] of open) {
    const source = tonight.sources.find((one) => isSameSource(one, { name: before.source, kind: before.kind }));
    const device = devices.get(key);
    if (source !== undefined && !isWhole(source.soundness)) {
      kept.add(before);
    } else if (!(device && hasFinding(device.judgement))) {
      const isGone = device === undefined || source === undefined;
      const why = movedAway.has(key) ? 'moved' : 'removed';
      ended.push(isGone ? endUnlisted(before, why) : endListed(device));
    }
  }
  return {
    findings: { known: new Set(open.keys()), ended },
    retractedFindings: retracted.filter((finding) => kept.has(finding)),
  };
}

/** What only the later state has open. */
export function findOpenedFindings(before: State, after: State): RetractedFinding[] {
  const earlier = new Set(listOpenFindings(before).map(({ source, device }) => toDeviceKey(source, device.id)));
  return listOpenFindings(after).filter(({ source, device }) => !earlier.has(toDeviceKey(source, device.id)));
}

function listOpenFindings(state: State | undefined): RetractedFinding[] {
  return (state?.sources ?? []).flatMap(({ name, kind, baseline }) =>
    (baseline?.devices ?? []).filter(hasFinding).map(({ facts }) => ({ source: name, kind, device: facts })),
  );
}

function endUnlisted({ source, device }: RetractedFinding, why: FindingReason): EndedFinding {
  const answeredAt = device.answers.map(({ at }) => at).findLast((at) => at !== undefined) ?? device.reportedAt;
  return { source, operatingSystem: device.operatingSystem, device, answeredAt, why, isPassing: false };
}

function endListed(device: JudgedDevice): EndedFinding {
  const { source, facts } = device;
  const { status, excludedBecause, reason } = device.judgement;
  const isPassing = status === 'Installed';
  const why = isPassing ? reason : (excludedBecause ?? reason);
  const answeredAt = readValueTime(device);
  return { source, operatingSystem: facts.operatingSystem, device: facts, answeredAt, why, isPassing };
}
