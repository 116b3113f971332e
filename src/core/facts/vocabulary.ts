/**
 * The words of the reports with their meanings, in one place: types, the order of printing, the glossary, messages, the
 * JSON schemas and the OCSF texts are made from these tables. A word that is missing here does not compile elsewhere.
 */

interface Word {
  /** One sentence, which the glossary prints. */
  readonly meaning: string;
}

/** A word that also explains the standing of a device in a message about that device. */
interface Why extends Word {
  readonly inMessages: string;
}

interface ReasonWord extends Why {
  /** True where the platform said which status it is; false where the status follows from the lack of an answer. */
  readonly isClear: boolean;
}

/** The reason why something failed: a stable code, and a sentence for people. */
export interface Problem {
  readonly code: string;
  readonly message: string;
}

/** The work that follows publishing a run, in the order in which it is done. A failing step stops neither the others nor the run. */
export const housekeepingSteps = {
  copies: {
    meaning: 'Copying the reports to latest/ and to the folders by date.',
    doing: 'Copying the reports',
  },
  messages: {
    meaning: 'Sending the messages of the run.',
    doing: 'Sending the messages',
  },
  audit: {
    meaning: 'Copying the commits to the audit store.',
    doing: 'Copying the commits for the audit',
  },
  retention: {
    meaning: 'Removing runs past their retention.',
    doing: 'Removing runs past their retention',
  },
} as const satisfies Readonly<Record<string, Word & { readonly doing: string }>>;

export type HousekeepingStep = keyof typeof housekeepingSteps;

export const statuses = {
  Installed: { meaning: 'The platform’s last answer is that the agent’s file is there.' },
  'Not Installed': { meaning: 'Its last answer is that it is not, or nobody can tell us; the reason says which.' },
} as const satisfies Readonly<Record<string, Word>>;

export type Status = keyof typeof statuses;

/** Reasons for the status of a device, including those for which no clear answer exists. */
export const reasons = {
  reported: {
    meaning: 'The platform answered so, with one of the values that it documents.',
    isClear: true,
    inMessages: 'reported as Not Installed',
  },
  'never-reported': {
    meaning: 'The platform has no value for the device.',
    isClear: false,
    inMessages: 'never reported',
  },
  'managed-elsewhere': {
    meaning: 'Configuration Manager delivers the device’s apps, so Intune never asked it.',
    isClear: false,
    inMessages: 'its apps come from Configuration Manager',
  },
  unread: {
    meaning: 'Its server lists the device and could not return it. It is as it was when it was read last.',
    isClear: false,
    inMessages: 'could not be read',
  },
  'unrecognised-value': {
    meaning: 'There is a value, but not one of the documented words.',
    isClear: false,
    inMessages: 'reports a value that is not documented',
  },
  'uninstall-failed': {
    meaning: 'An uninstall was tried and the file is still there.',
    isClear: true,
    inMessages: 'uninstalling it failed',
  },
  'install-failed': {
    meaning: 'An installation was tried and failed.',
    isClear: true,
    inMessages: 'installing it failed',
  },
  'install-pending': {
    meaning: 'An installation is under way.',
    isClear: true,
    inMessages: 'waits to be installed',
  },
  'not-applicable': {
    meaning: 'A requirement was not met, so nobody looked for the file.',
    isClear: false,
    inMessages: 'not applicable',
  },
  'state-unknown': {
    meaning: 'The platform itself does not know.',
    isClear: false,
    inMessages: 'its state is not known',
  },
} as const satisfies Readonly<Record<string, ReasonWord>>;

export type Reason = keyof typeof reasons;

interface UnprovenWord extends Word {
  /** The event that ends it, in one sentence. */
  readonly end: string;
  /** Words behind a number of devices for which it holds: one, and several. */
  readonly ofDevices: readonly [one: string, many: string];
  /** The event that ends it, in words that follow `ofDevices`. */
  readonly until: string;
}

/** Reasons why the status of a device is not proven; the first that holds is given. */
export const unprovenReasons = {
  unread: {
    meaning: 'Its server could not return it.',
    end: 'The first run that can read it ends this.',
    ofDevices: ['could not be read', 'could not be read'],
    until: 'a run that can',
  },
  'method-not-sound': {
    meaning: 'The detection method is not what it should be, or could not be read.',
    end: 'A run that finds the method sound ends this; where it was wrong, the next answer after that run does.',
    ofDevices: [
      'has an answer of a detection method that is not sound',
      'have answers of a detection method that is not sound',
    ],
    until: 'a run that finds it sound, and newer answers where it was wrong',
  },
  'canary-wrong': {
    meaning: 'A canary of its source shows the contrary of what it is kept for.',
    end: 'A run in which no canary does so ends this.',
    ofDevices: ['is of a source whose canary is wrong', 'are of a source whose canary is wrong'],
    until: 'a run in which no canary is',
  },
  'list-contradicts': {
    meaning: 'The agent’s console has seen it lately, and its platform says Not Installed.',
    end: 'Look at the machine: this ends when the two agree.',
    ofDevices: [
      'is Not Installed, but seen by the agent’s console',
      'are Not Installed, but seen by the agent’s console',
    ],
    until: 'the two agree',
  },
  'no-answer': {
    meaning: 'Its platform has no answer about the agent.',
    end: 'Its first answer ends this.',
    ofDevices: ['has no answer about the agent', 'have no answer about the agent'],
    until: 'the first',
  },
  'not-clear': {
    meaning: 'Its answer says nothing for certain.',
    end: 'Its next clear answer ends this.',
    ofDevices: ['has an answer that says nothing for certain', 'have answers that say nothing for certain'],
    until: 'the next clear answer',
  },
  contradicted: {
    meaning: 'The answer of another user, or of another platform, says the contrary.',
    end: 'Look at the machine, and remove the record that is wrong: this ends when the answers agree.',
    ofDevices: ['has answers that contradict each other', 'have answers that contradict each other'],
    until: 'they agree',
  },
  'before-repair': {
    meaning: 'Its answer is older than the last repair of the detection method.',
    end: 'Its next answer ends this.',
    ofDevices: ['has an answer older than the repair', 'have answers older than the repair'],
    until: 'the next answer',
  },
  'old-answer': {
    meaning: 'Its answer is older than the policy allows, or of unknown age.',
    end: 'A newer answer ends this.',
    ofDevices: ['has an answer that is too old or of unknown age', 'have answers that are too old or of unknown age'],
    until: 'the next answer',
  },
} as const satisfies Readonly<Record<string, UnprovenWord>>;

export type UnprovenBecause = keyof typeof unprovenReasons;

/** Reasons why a device is not counted; the first that holds is given. */
export const exclusions = {
  unmanaged: {
    meaning: 'The platform knows the device but does not manage it.',
    inMessages: 'no longer managed',
  },
  retiring: {
    meaning: 'It is being retired, wiped or deleted.',
    inMessages: 'being retired or wiped',
  },
  'not-manageable': {
    meaning: 'An Intune record that cannot receive apps.',
    inMessages: 'cannot receive apps',
  },
  personal: {
    meaning: 'Owned by a person, and only company devices are counted.',
    inMessages: 'personal',
  },
  superseded: {
    meaning: 'Another record of the same machine is counted: a newer one, or one of another kind of source.',
    inMessages: 'counted under another record',
  },
  exempt: {
    meaning: 'Exempted by a person, with a reason and a date.',
    inMessages: 'exempt',
  },
} as const satisfies Readonly<Record<string, Why>>;

export type ExcludedBecause = keyof typeof exclusions;

/** The soundness of a source's answer, worst first. */
export const soundnessWords = {
  missing: { meaning: 'It did not answer in full, and there is no earlier complete run to show instead.' },
  carried: { meaning: 'It did not answer in full. The answers of its last complete run are shown, with their date.' },
  untrusted: {
    meaning: 'What produces the values is not what it should be, or could not be read. Nothing is proven.',
  },
  suspect: {
    meaning:
      'More devices are gone or changed than is plausible. This run’s answers are shown; no device is alerted on.',
  },
  partial: {
    meaning:
      'It answered in full but for a few devices, each known by its id. They are as they were when they were read last.',
  },
  complete: { meaning: 'It answered in full, its detection method is sound, and nothing implausible happened.' },
} as const satisfies Readonly<Record<string, Word>>;

export type Soundness = keyof typeof soundnessWords;

/** Whether its answer is compared, becomes the baseline and is alerted on, except for the devices that were not read. */
export function isWhole(soundness: Soundness): boolean {
  return soundness === 'complete' || soundness === 'partial';
}

export const soundnesses = Object.keys(soundnessWords) as readonly Soundness[];

/** The soundness of a list of machines, worst first. A list that is not sound says nothing about any device. */
export const listSoundnessWords = {
  unreadable: { meaning: 'A file of it could not be read, or is no text.' },
  incomplete: { meaning: 'A file of it is empty, cut off or damaged, or lacks a column.' },
  stale: { meaning: 'A file of it is older than its settings allow, or of unknown date.' },
  shrunk: { meaning: 'It names far fewer machines than the last sound one.' },
  sound: { meaning: 'It was read whole, and is recent enough.' },
} as const satisfies Readonly<Record<string, Word>>;

export type ListSoundness = keyof typeof listSoundnessWords;

/** Changes of a device, in the order in which those of one device are printed. */
export const changes = {
  moved: { meaning: 'The same machine under a new id; its history goes with it.' },
  lost: { meaning: 'Was Installed, now is not.' },
  recovered: { meaning: 'Was Not Installed, now is.' },
  'new-installed': { meaning: 'Not there before; has the agent.' },
  'new-not-installed': { meaning: 'Not there before; has no agent.' },
  removed: { meaning: 'No longer known to the platform.' },
  excluded: { meaning: 'Removed from scope; the reason says why.' },
  included: { meaning: 'Added to scope; the reason says why it was outside.' },
} as const satisfies Readonly<Record<string, Word>>;

export type ChangeKind = keyof typeof changes;

/** Reasons why the figures of two runs differ, in the words of a sentence; each machine has one. The most important is first. */
export const shareWords = {
  lost: 'lost the agent',
  'new-not-installed': 'new without the agent',
  removed: 'no longer listed',
  excluded: 'no longer counted',
  recovered: 'got the agent back',
  'new-installed': 'new with the agent',
  included: 'counted now',
  moved: 'enrolled anew',
  unproven: 'no longer proven',
  proven: 'proven now',
  other: 'not explained by single devices',
} as const satisfies Readonly<Record<ChangeKind | 'unproven' | 'proven' | 'other', string>>;

export type ShareKind = keyof typeof shareWords;

/** Kinds of rows of a comparison; changes.csv has no rows for the last two. */
export type DifferenceKind = ChangeKind | 'unproven' | 'proven';

export const shareKinds = Object.keys(shareWords) as readonly ShareKind[];

/** Results of comparing the platform's own group with its criterion. */
export const groupVerdicts = {
  agrees: { meaning: 'The platform’s group and its criterion say the same.' },
  missing: { meaning: 'The criterion selects it, but the platform does not list it.' },
  unexpected: { meaning: 'The platform lists it, but the criterion does not select it.' },
  outside: {
    meaning: 'In our picture, but the criterion cannot select it: no value, another text, or unmanaged.',
  },
  derived: { meaning: 'The group is ours alone; the platform has none.' },
  unknown: { meaning: 'The group could not be read, or the source was not complete.' },
} as const satisfies Readonly<Record<string, Word>>;

export type GroupVerdict = keyof typeof groupVerdicts;

export const checkResults = {
  pass: { meaning: 'It is as documented.' },
  fail: { meaning: 'It is not.' },
  unknown: { meaning: 'It could not be read, which is never a pass.' },
  'not-checked': { meaning: 'The settings do not say what it should be.' },
} as const satisfies Readonly<Record<string, Word>>;

export type FindingResult = keyof typeof checkResults;

/** Results of a row of the exemptions file. */
export const exemptionResults = {
  active: { meaning: 'The exemption holds.' },
  expiring: { meaning: 'It ends within 14 days.' },
  expired: { meaning: 'It has ended; its devices are counted again.' },
  unmatched: { meaning: 'It fits no device.' },
  ambiguous: { meaning: 'A name or user that fits several devices exempts none.' },
  invalid: { meaning: 'Something that the row needs is missing or not understood; the row is ignored.' },
} as const satisfies Readonly<Record<string, Word>>;

export type ExemptionResult = keyof typeof exemptionResults;

/** Proofs that the rows of the apps' reports are complete, weakest first: a run shows the weakest of its apps. */
export const answersProofs = {
  'export twice': { meaning: 'Only the report’s export answered. Two exports agree.' },
  'synchronous twice': { meaning: 'The report’s rows were read page by page, and a second such answer agrees.' },
  'both ways': { meaning: 'The report’s export agrees with the service’s own count of its rows.' },
} as const satisfies Readonly<Record<string, Word>>;

export type AnswersProof = keyof typeof answersProofs;
