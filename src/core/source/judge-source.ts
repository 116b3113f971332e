/** Judges the soundness of one source's answer: its instrument, canaries and list, and how much changed since its baseline. */
import type { CompanyFacts } from '../facts/company.ts';
import type { CheckResult, PlatformFacts } from '../facts/facts.ts';
import type { JudgedSource } from '../facts/judged.ts';
import { findSourceOperatingSystem } from '../facts/rules.ts';
import { isWhole } from '../facts/vocabulary.ts';
import type { NamedMachine, UnmatchedEntry } from '../ledger/entries.ts';
import { hasAnswer } from '../record/judge-record.ts';
import { toSourceKey } from '../record/references.ts';
import { formatCount } from '../text/format-count.ts';
import { pluralize } from '../text/pluralize.ts';
import { checkBreaker } from './breaker.ts';
import type { JudgedCanary } from './canaries.ts';
import {
  type ConcernedRecords,
  describeRepeated,
  findListingGaps,
  findMachineFindings,
  readListingFigures,
} from './listing.ts';
import { explainSoundness, judgeSoundness } from './soundness.ts';
import type { SourceInput } from './source-input.ts';

/** The machines of all sources, as far as one source's judgement needs them. */
export interface MachinesOfRun extends ConcernedRecords {
  readonly machines: readonly NamedMachine[];
  readonly unmatched: readonly UnmatchedEntry[];
  readonly canaries: readonly JudgedCanary[];
}

/** A judged source before lists of machines take proofs away and before it is compared. */
export interface SourceJudgement {
  readonly input: SourceInput;
  /** Its key in the ledger. */
  readonly key: string;
  readonly source: JudgedSource;
  /** Whether its rows are compared with a baseline. */
  readonly isCompared: boolean;
  /** Number of machines that were stale in the baseline, and are gone. */
  readonly cleanedUp: number;
}

export function judgeSource(
  input: SourceInput,
  { machines, unmatched, canaries, ...concerned }: MachinesOfRun,
  { slot }: Pick<PlatformFacts, 'slot'>,
  { policy, accepted }: Pick<CompanyFacts, 'policy' | 'accepted'>,
): SourceJudgement {
  const { rules, baseline } = input;
  const { name, kind, receipt, instrument, address } = input.source;
  const key = toSourceKey({ source: name, kind });
  const isFresh = input.reading === 'fresh';
  const isCompared = isFresh && baseline !== undefined;
  const own = canaries.filter(({ canary }) => canary.source === name);
  const doubts = {
    slot,
    breaker: isCompared ? checkBreaker(input.source, machines, unmatched, policy.breaker) : undefined,
    gaps: isFresh ? findListingGaps(readListingFigures(input.source), baseline?.listing) : {},
    isFirstAndEmpty: isFresh && !isCompared && !input.rows.some(({ facts }) => hasAnswer(facts)),
    wrongCanaries: isFresh ? canaries.filter(({ wrongSources }) => wrongSources.includes(name)) : [],
  };
  const soundness = judgeSoundness(input, doubts, accepted?.sources.includes(name) === true);
  return {
    input,
    key,
    source: {
      name,
      kind,
      operatingSystem: findSourceOperatingSystem(rules),
      deviceAddress: address === undefined ? undefined : `${address}${rules.devicePath}`,
      soundness,
      first: isWhole(soundness) && !isCompared,
      problem: explainSoundness(input, soundness, doubts),
      receipt,
      instrument,
      findings: [
        ...input.source.findings,
        ...(isFresh ? [...describeRepeated(input.source), ...findMachineFindings(name, concerned)] : []),
        ...(isWhole(soundness) ? describeNobodyInstalled(name, machines) : []),
        ...own.map(({ finding }) => finding),
      ],
      baseline: baseline?.slot,
    },
    isCompared,
    cleanedUp: doubts.breaker?.cleanedUp ?? 0,
  };
}

/**
 * A finding where no counted device has the agent: the settings may name the wrong attribute or app. It is `unknown`
 * while a device that was never read may have the agent.
 */
function describeNobodyInstalled(source: string, machines: readonly NamedMachine[]): CheckResult[] {
  const counted = machines.filter(
    ({ machine, excludedBecause }) => machine.standing.source === source && excludedBecause === undefined,
  );
  if (counted.length === 0 || counted.some(({ machine }) => machine.standing.answer.status === 'Installed')) {
    return [];
  }
  const isKnown = counted.every(({ machine }) => machine.standing.unread !== 'blank');
  const { length } = counted;
  return [
    {
      check: 'devices.none-installed',
      instrument: false,
      expected: 'the agent on at least one device',
      result: isKnown ? 'fail' : 'unknown',
      found: `none on ${formatCount(length)} counted ${pluralize(length, 'device')}`,
      advice:
        'If it is not deployed here yet, nothing is wrong. If it is, look at what the settings name: another attribute or app would say the same.',
    },
  ];
}
