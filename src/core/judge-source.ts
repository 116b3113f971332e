/** One source's part of a night, in the order of its rules: its devices, what their answer is worth; then what changed. */
import type { SourceAlertInput } from './alerts/alert-input.ts';
import { computeNextSourceState } from './baseline/baseline.ts';
import { findNotInstalledSince, listShownNights, type ProvisionalIndex } from './baseline/provisional.ts';
import { findAcknowledgement } from './device/acknowledgements.ts';
import { type AnswerContext, hasAnswer, judgeDevice } from './device/judge-device.ts';
import type { DeviceMatches } from './device/match-devices.ts';
import { createSharing } from './facts/device-fields.ts';
import type { Acknowledgement, Canary, Facts, Finding } from './facts/facts.ts';
import type { DeviceStanding, FindMatch, JudgedDevice, JudgedSource, Judgement, Night } from './facts/judged.ts';
import { findSourceOperatingSystem } from './facts/rules.ts';
import type { ListFigures, SourceState } from './facts/state.ts';
import { isWhole } from './facts/vocabulary.ts';
import { checkBreaker } from './source/breaker.ts';
import { checkCanaries, listCanarySerialNumbers } from './source/canaries.ts';
import { type DevicePair, listChanges, pairDevices } from './source/changes.ts';
import { decideChangeKinds } from './source/count-letter.ts';
import { computeCoverage } from './source/coverage.ts';
import { compareGroups } from './source/groups.ts';
import { type ConcernedRecords, findListingGaps, findMachineFindings, readListingFigures } from './source/listing.ts';
import { explainSoundness, judgeSoundness } from './source/soundness.ts';
import { buildAnswerContext, type SourceInput } from './source/source-input.ts';

/** What the sources of a night have in common. */
export interface NightContext extends Pick<DeviceMatches, 'findMatch' | 'movedAway'>, ConcernedRecords {
  readonly facts: Facts;
  /** The keys are folded serial numbers. */
  readonly acknowledged: ReadonlyMap<string, Acknowledgement>;
  /** The keys are names of sources. */
  readonly provisional: ReadonlyMap<string, ProvisionalIndex>;
}

/** What a source's answer is worth, before lists of machines take proofs away and before it is compared. */
export interface JudgedAnswer extends Omit<SourceAlertInput, 'coverage' | 'changes'> {
  readonly input: SourceInput;
  readonly listFigures?: ListFigures;
}

export interface SourceResult extends SourceAlertInput {
  readonly groups: Night['groups'];
  readonly pairs: readonly DevicePair[];
  readonly state: SourceState;
}

export function judgeAnswer(
  input: SourceInput,
  records: readonly JudgedDevice<DeviceStanding>[],
  context: NightContext,
): JudgedAnswer {
  const { facts } = context;
  const { rules, state } = input;
  const { name, kind, receipt, instrument } = input.source;
  const operatingSystem = findSourceOperatingSystem(rules);
  const canaries = facts.canaries?.filter((canary) => canary.source === name) ?? [];
  const { devices, canaryFindings } = judgeDevices(input, records, context, canaries);

  // Only a complete answer is compared, and only with a baseline.
  const isFresh = input.reading === 'fresh';
  const compared = isFresh && state?.baseline ? state : undefined;
  const doubts = {
    breaker: compared && checkBreaker(compared, input, devices, context, facts.policy.breaker),
    gaps: isFresh ? findListingGaps(readListingFigures(input.source), state?.baseline?.listing) : {},
    isFirstAndEmpty: isFresh && compared === undefined && !input.rows.some(hasAnswer),
    wrongCanaries: canaryFindings.filter(isWrong),
  };
  const soundness = judgeSoundness(input, doubts, facts.accepted?.sources.includes(name) === true);
  const source: JudgedSource = {
    name,
    kind,
    operatingSystem,
    deviceAddress: input.source.address === undefined ? undefined : `${input.source.address}${rules.devicePath}`,
    soundness,
    first: isWhole(soundness) && compared === undefined,
    problem: explainSoundness(input, soundness, doubts),
    receipt,
    instrument,
    findings: [...input.source.findings, ...(isFresh ? findMachineFindings(name, context) : []), ...canaryFindings],
    baseline: state?.baseline?.slot,
  };
  return {
    input,
    source,
    devices,
    compared,
    cleanedUp: doubts.breaker?.cleanedUp ?? 0,
    canarySerialNumbers: listCanarySerialNumbers(canaries),
  };
}

export function compareAnswer(answer: JudgedAnswer, { facts, findMatch, movedAway }: NightContext): SourceResult {
  const { input, listFigures, ...judged } = answer;
  const { source, devices, compared } = judged;
  const { name, soundness } = source;
  const known = { name, baseline: compared?.baseline };
  const pairs = input.reading === 'fresh' ? pairDevices(known, devices, { findMatch, movedAway }) : [];
  const changes = compared ? listChanges(name, pairs, decideChangeKinds) : [];
  return {
    ...judged,
    pairs,
    changes,
    groups: compareGroups({ source: input.source, rules: input.rules, soundness, devices, compared, findMatch }),
    coverage: { ...computeCoverage(source, devices, changes, compared, findMatch), ...listFigures },
    state: computeNextSourceState(source, input, { devices, findMatch }, facts),
  };
}

/** A wrong canary takes the proof from every device of its source. */
function judgeDevices(
  input: SourceInput,
  records: readonly JudgedDevice<DeviceStanding>[],
  context: NightContext,
  canaries: readonly Canary[],
): { devices: readonly JudgedDevice[]; canaryFindings: readonly Finding[] } {
  const answerContext = buildAnswerContext(input, context.facts);
  const devices = judgeRecords(input, records, context, answerContext);
  const canaryFindings = checkCanaries(canaries, devices, input.reading === 'fresh');
  return canaryFindings.some(isWrong)
    ? { devices: judgeRecords(input, records, context, { ...answerContext, isTrusted: false }), canaryFindings }
    : { devices, canaryFindings };
}

function isWrong({ result }: Finding): boolean {
  return result === 'fail';
}

function judgeRecords(
  input: SourceInput,
  records: readonly JudgedDevice<DeviceStanding>[],
  { facts, findMatch, acknowledged, provisional }: NightContext,
  answerContext: AnswerContext,
): JudgedDevice[] {
  // The rules are the same for all devices of a source.
  const share = createSharing<Judgement>(({ rules: _, supersededBy, acknowledgement, ...flat }) =>
    supersededBy === undefined && acknowledgement === undefined
      ? Object.values(flat).join()
      : JSON.stringify([flat, supersededBy, acknowledgement]),
  );
  return records.map((record) => {
    const match = findMatch(record.source, record.facts.id);
    const shown = input.reading === 'fresh' ? listShownNights(record, match, provisional) : [];
    const answeredOn = input.olderAnswers.get(record.facts.id) ?? input.answeredOn;
    const judgement = judgeDevice(record, answerContext, {
      notInstalledSince: findNotInstalledSince(match, shown, facts.slot),
      answeredOn: record.judgement.unread === 'blank' ? undefined : answeredOn,
      wasReplacementCounted: wasReplacementCounted(record, findMatch),
      acknowledgement: findAcknowledgement(record.facts, acknowledged),
    });
    return { source: record.source, facts: record.facts, judgement: share(judgement) };
  });
}

/** The record that took its place was in the count of its baseline, under the id that it has now. */
function wasReplacementCounted({ judgement }: JudgedDevice<DeviceStanding>, findMatch: FindMatch): boolean {
  const { supersededBy } = judgement;
  const match = supersededBy && findMatch(supersededBy.source, supersededBy.id);
  return match?.how === 'same' && match.known.counted;
}
