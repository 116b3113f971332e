/** The soundness of one source's answer: its instrument, its canaries, its list, and how much changed since its baseline. */
import type { CompanyFacts } from '../facts/company.ts';
import type { PlatformFacts } from '../facts/facts.ts';
import type { JudgedSource } from '../facts/judged.ts';
import { findSourceOperatingSystem } from '../facts/rules.ts';
import { isWhole } from '../facts/vocabulary.ts';
import type { NamedMachine, UnmatchedEntry } from '../ledger/entries.ts';
import { hasAnswer } from '../record/judge-record.ts';
import { toSourceKey } from '../record/references.ts';
import { checkBreaker } from './breaker.ts';
import type { JudgedCanary } from './canaries.ts';
import { type ConcernedRecords, findListingGaps, findMachineFindings, readListingFigures } from './listing.ts';
import { explainSoundness, judgeSoundness } from './soundness.ts';
import type { SourceInput } from './source-input.ts';

/** What the machines of all sources say about one of them. */
export interface MachinesOfRun extends ConcernedRecords {
  readonly machines: readonly NamedMachine[];
  readonly unmatched: readonly UnmatchedEntry[];
  readonly canaries: readonly JudgedCanary[];
}

/** A source before lists of machines take proofs away and before it is compared. */
export interface SourceJudgement {
  readonly input: SourceInput;
  /** As entries of the ledger name it. */
  readonly key: string;
  readonly source: JudgedSource;
  /** Whether its rows are compared with a baseline. */
  readonly isCompared: boolean;
  /** Machines that were stale in the baseline, and are gone. */
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
        ...(isFresh ? findMachineFindings(name, concerned) : []),
        ...own.map(({ finding }) => finding),
      ],
      baseline: baseline?.slot,
    },
    isCompared,
    cleanedUp: doubts.breaker?.cleanedUp ?? 0,
  };
}
