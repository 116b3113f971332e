/** Judged devices in little memory: most of what is judged is the same for many of them, and is kept once. */
import { readAgeTime } from './ages.ts';
import type { Acknowledgement, Answer, DeviceFacts } from './facts.ts';
import type { JudgedDevice, MatchedDevice } from './judged.ts';
import type { BaselineMatch } from './match-devices.ts';
import type { SourceRules } from './rules.ts';
import { createSharing } from './share-equal.ts';
import type { BaselineDevice } from './state.ts';
import { forbidCopying } from './views.ts';

/** All that does not follow from the device's facts and rules. */
export interface Judgement
  extends Pick<
    JudgedDevice,
    | 'source'
    | 'status'
    | 'reason'
    | 'proven'
    | 'stale'
    | 'counted'
    | 'excludedBecause'
    | 'supersededBy'
    | 'isBeforeRepair'
    | 'notInstalledSince'
    | 'answeredOn'
  > {
  readonly rules: SourceRules;
  /** Which of the device's answers won; -1 where it has none. */
  readonly answer: number;
  readonly acknowledgement: Acknowledgement | undefined;
}

type MatchKind = Omit<BaselineMatch, 'known'> | undefined;

interface SharedJudgement extends Judgement {
  readonly match: MatchKind;
}

class JudgedView implements MatchedDevice {
  readonly #facts: DeviceFacts;
  #known: BaselineDevice | undefined;
  readonly #shared: SharedJudgement;

  constructor(facts: DeviceFacts, known: BaselineDevice | undefined, shared: SharedJudgement) {
    this.#facts = facts;
    this.#known = known;
    this.#shared = shared;
    forbidCopying(this);
  }

  get facts() {
    return this.#facts;
  }
  get platform() {
    return this.#facts.platform;
  }
  get source() {
    return this.#shared.source;
  }
  get status() {
    return this.#shared.status;
  }
  get reason() {
    return this.#shared.reason;
  }
  /** A blank answer is no value. */
  get value() {
    const value = findAnswer(this.#facts, this.#shared)?.value;
    return value?.trim() === '' ? undefined : value;
  }
  get detail() {
    return findAnswer(this.#facts, this.#shared)?.detail;
  }
  /** Where a platform dates its answers by the inventory report, "no value" has that date too. */
  get valueAt() {
    return findAnswer(this.#facts, this.#shared)?.at ?? this.#facts.reportedAt;
  }
  get ageTime() {
    return readAgeTime(this.#facts, this.#shared.rules);
  }
  get proven() {
    return this.#shared.proven;
  }
  get stale() {
    return this.#shared.stale;
  }
  get counted() {
    return this.#shared.counted;
  }
  get excludedBecause() {
    return this.#shared.excludedBecause;
  }
  get supersededBy() {
    return this.#shared.supersededBy;
  }
  get match() {
    const { match } = this.#shared;
    return match === undefined || this.#known === undefined ? undefined : { ...match, known: this.#known };
  }
  get isBeforeRepair() {
    return this.#shared.isBeforeRepair;
  }
  get notInstalledSince() {
    return this.#shared.notInstalledSince;
  }
  get answeredOn() {
    return this.#shared.answeredOn;
  }
  get acknowledgement() {
    return this.#shared.acknowledgement;
  }

  /** When the night is judged: with it, the baseline's devices would be in memory as long as the night is. */
  forgetMatch(): void {
    this.#known = undefined;
  }

  toJSON(): JudgedDevice {
    const { source, platform, facts, status, reason, value, detail, valueAt, ageTime, proven, stale } = this;
    const { counted, excludedBecause, supersededBy, isBeforeRepair, notInstalledSince, answeredOn } = this;
    return {
      ...{ source, platform, facts, status, reason, value, detail, valueAt, ageTime, proven, stale },
      ...{ counted, excludedBecause, supersededBy, isBeforeRepair, notInstalledSince, answeredOn },
      ...(this.acknowledgement === undefined ? {} : { acknowledgement: this.acknowledgement }),
    };
  }
}

export type { JudgedView };

/** Not a private accessor: each view would have a field that says so. */
function findAnswer({ answers }: DeviceFacts, { answer }: SharedJudgement): Answer | undefined {
  return answer === -1 ? undefined : answers[answer];
}

type JudgedDeviceMaker = (facts: DeviceFacts, judgement: Judgement, match: BaselineMatch | undefined) => JudgedView;

/** Of the devices of one source. */
export function createJudgedDeviceMaker(): JudgedDeviceMaker {
  const share = createSharing<SharedJudgement>(({ rules: _, ...fields }) => JSON.stringify(fields));
  return (facts, judgement, match) =>
    new JudgedView(facts, match?.known, share({ ...judgement, match: describeMatch(match) }));
}

function describeMatch(match: BaselineMatch | undefined): MatchKind {
  return match && { source: match.source, how: match.how, wasAway: match.wasAway };
}
