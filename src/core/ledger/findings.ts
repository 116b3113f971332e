/**
 * Findings: a machine that lacks the agent has one, under the name of its entry. It opens and closes only when the
 * entry is updated. A run that takes another one back closes the findings that only that one opened.
 */
import { indexBy } from '../../base/index-by.ts';
import type { OpenFinding } from '../facts/facts.ts';
import type { EndedFinding, GoneMachine, JudgedDevice, JudgedMachine, NightFindings } from '../facts/judged.ts';
import type { Entry } from '../facts/ledger.ts';
import type { State } from '../facts/state.ts';
import { isWhole } from '../facts/vocabulary.ts';
import { readValueTime } from '../record/judge-record.ts';
import { toSourceKey } from '../record/references.ts';
import { toStandingIdentity } from './changes.ts';
import type { LedgerRun, MovedLedger } from './ledger.ts';

/** Whether a device is Not Installed and counted, or exempted by a person. */
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

/** Entries of the settings' sources with open findings. A source that left the settings has closed its findings. */
function listOpenEntries({ ledger, sources }: Pick<State, 'ledger' | 'sources'>): Entry[] {
  const keys = new Set(sources.map(({ name, kind }) => toSourceKey({ source: name, kind })));
  return ledger.filter((entry) => hasOpenFinding(entry) && keys.has(toSourceKey(entry.standing)));
}

export function decideFindings(
  previous: State | undefined,
  moved: Pick<MovedLedger, 'machines' | 'gone'>,
  run: LedgerRun,
  retracted: readonly OpenFinding[] = [],
): NightFindings {
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
  const taken = new Set(retracted);
  for (const [name, finding] of open) {
    const end = endFinding(finding, machines.get(name), gone.get(name), run);
    if (end === 'unknown' && taken.has(finding)) {
      ended.push(toRemovedFinding(finding));
    } else if (end !== 'unknown' && end !== 'open') {
      ended.push(end);
    }
  }
  return { known: new Set(open.keys()), ended };
}

function toFinding({ name, standing }: Entry): OpenFinding {
  const { source, kind, operatingSystem } = standing;
  return { machine: name, source, kind, operatingSystem, device: toStandingIdentity(standing) };
}

/** Ends a finding, or returns `unknown` while it is not known whether the machine lacks the agent. */
function endFinding(
  finding: OpenFinding,
  machine: JudgedMachine | undefined,
  gone: GoneMachine | undefined,
  { soundness }: LedgerRun,
): EndedFinding | 'open' | 'unknown' {
  const own = soundness.get(toSourceKey(finding));
  if (machine?.after === undefined || (own === undefined && machine.after === machine.before)) {
    const isEnded = gone !== undefined || own === undefined || (machine === undefined && isWhole(own));
    const why = gone?.takenBy === undefined ? 'removed' : 'superseded';
    return isEnded ? { ...toRemovedFinding(finding), why } : 'unknown';
  }
  if (machine.after === machine.before) {
    return 'unknown';
  }
  return hasOpenFinding(machine.after) ? 'open' : endListed(finding.machine, machine.device);
}

/** Ends the finding of a machine that is no longer listed. */
function toRemovedFinding({ machine, source, operatingSystem, device }: OpenFinding): EndedFinding {
  return { machine, source, operatingSystem, device, answeredAt: undefined, why: 'removed', isPassing: false };
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

/** Findings that are open in the later state alone. */
export function findOpenedFindings(before: State, after: State): OpenFinding[] {
  const earlier = new Set(listOpenEntries(before).map(({ name }) => name));
  return listOpenEntries(after).flatMap((entry) => (earlier.has(entry.name) ? [] : toFinding(entry)));
}
