/**
 * Findings: a machine that lacks the agent has one, under the name of its entry, which opens and closes only as the entry
 * moves on. A finding that a retracted run opened is closed however it ends.
 */
import { indexBy } from '../../base/index-by.ts';
import type { EndedFinding, GoneMachine, JudgedDevice, JudgedMachine, NightFindings } from '../facts/judged.ts';
import type { Entry } from '../facts/ledger.ts';
import type { RetractedFinding, State } from '../facts/state.ts';
import { isWhole } from '../facts/vocabulary.ts';
import { readValueTime } from '../record/judge-record.ts';
import { toSourceKey } from '../record/references.ts';
import { toStandingIdentity } from './changes.ts';
import type { LedgerRun, MovedLedger } from './ledger.ts';

/** Not Installed and counted, or exempted by a person. */
export function hasFinding({
  status,
  counted,
  excludedBecause,
}: Pick<JudgedDevice['judgement'], 'status' | 'counted' | 'excludedBecause'>): boolean {
  return status === 'Not Installed' && (counted || excludedBecause === 'exempt');
}

function hasOpenFinding({ status, counted, standing: { excludedBecause }, isGone }: Entry): boolean {
  return !isGone && hasFinding({ status, counted, excludedBecause });
}

/** A source that left the settings has closed its findings, and its entries wait. */
function listOpenEntries({ ledger, sources }: Pick<State, 'ledger' | 'sources'>): Entry[] {
  const keys = new Set(sources.map(({ name, kind }) => toSourceKey({ source: name, kind })));
  return ledger.filter((entry) => hasOpenFinding(entry) && keys.has(toSourceKey(entry.standing)));
}

export function decideFindings(
  previous: State | undefined,
  moved: Pick<MovedLedger, 'machines' | 'gone'>,
  run: LedgerRun,
): { findings: NightFindings; retractedFindings: readonly RetractedFinding[] } {
  const retracted = previous?.retractedFindings ?? [];
  const open = indexBy(retracted, ({ machine }) => machine);
  for (const entry of previous ? listOpenEntries(previous) : []) {
    open.set(entry.name, toFinding(entry));
  }
  const machines = indexBy(
    moved.machines.filter(({ name }) => open.has(name)),
    ({ name }) => name,
  );
  const gone = indexBy(moved.gone, ({ before }) => before.name);
  const ended: EndedFinding[] = [];
  const kept = new Set<RetractedFinding>();
  for (const [name, finding] of open) {
    const end = endFinding(finding, machines.get(name), gone.get(name), run);
    if (end === 'unknown') {
      kept.add(finding);
    } else if (end !== 'open') {
      ended.push(end);
    }
  }
  return {
    findings: { known: new Set(open.keys()), ended },
    retractedFindings: retracted.filter((finding) => kept.has(finding)),
  };
}

function toFinding({ name, standing }: Entry): RetractedFinding {
  const { source, kind, operatingSystem } = standing;
  return { machine: name, source, kind, operatingSystem, device: toStandingIdentity(standing) };
}

/** `unknown` while nobody can tell whether the machine lacks the agent. */
function endFinding(
  finding: RetractedFinding,
  machine: JudgedMachine | undefined,
  gone: GoneMachine | undefined,
  { soundness }: LedgerRun,
): EndedFinding | 'open' | 'unknown' {
  const { machine: name, source, operatingSystem, device } = finding;
  const own = soundness.get(toSourceKey(finding));
  if (machine?.after === undefined || (own === undefined && machine.after === machine.before)) {
    const isEnded = gone !== undefined || own === undefined || (machine === undefined && isWhole(own));
    const why = gone?.takenBy === undefined ? 'removed' : 'superseded';
    return isEnded
      ? { machine: name, source, operatingSystem, device, answeredAt: undefined, why, isPassing: false }
      : 'unknown';
  }
  if (machine.after === machine.before) {
    return 'unknown';
  }
  return hasOpenFinding(machine.after) ? 'open' : endListed(name, machine.device);
}

function endListed(machine: string, device: JudgedDevice): EndedFinding {
  const { source, facts, judgement } = device;
  const { status, excludedBecause, reason } = judgement;
  const isPassing = status === 'Installed';
  return {
    machine,
    source,
    operatingSystem: facts.operatingSystem,
    device: facts,
    answeredAt: readValueTime(device),
    why: isPassing ? reason : (excludedBecause ?? reason),
    isPassing,
  };
}

/** Findings that only the later state has open. */
export function findOpenedFindings(before: State, after: State): RetractedFinding[] {
  const earlier = new Set(listOpenEntries(before).map(({ name }) => name));
  return listOpenEntries(after).flatMap((entry) => (earlier.has(entry.name) ? [] : toFinding(entry)));
}
