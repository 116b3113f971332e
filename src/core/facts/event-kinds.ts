/**
 * The kinds of events a run can have, with what each means, how much it asks of a person and under which heading of a
 * message it stands. Types, filters, messages, JSON schemas and docs follow from this table.
 */

/** Ordered, least severe first. */
export const severities = ['info', 'warning', 'error'] as const;
export type Severity = (typeof severities)[number];

/** `now`: reported at once. `weekly`: with the next message about something that cannot wait, or in the week's summary. */
type Urgency = 'now' | 'weekly';

interface EventDefinition {
  /** One sentence for whoever looks the kind up. */
  readonly meaning: string;
  /** The severity while the alert is open; its end is `info` unless `resolvedSeverity` says more. */
  readonly severity: Severity;
  readonly resolvedSeverity?: Severity;
  /** The urgency of its beginning. Its end waits for the week's summary, except when a source is sound again. */
  readonly urgency: Urgency;
  readonly section: SectionName;
  /** True for news that is sent once: it opens no alert, and nothing ends it. */
  readonly isNotice?: true;
  /** True where the open alert is sent again with the week's reminders. */
  readonly isReminded?: true;
  /** The heading of its end, if not "Resolved". */
  readonly resolvedSection?: SectionName;
  /** The sentence of its end, with `{subject}` for the subject of the alert; a rule that knows more says more. */
  readonly ended?: string;
}

const define =
  (severity: Severity, urgency: EventDefinition['urgency'], more: Partial<EventDefinition> = {}) =>
  (section: SectionName, meaning: string, ended?: string): EventDefinition => ({
    meaning,
    severity,
    urgency,
    section,
    ...more,
    ...(ended !== undefined && { ended }),
  });
const error = define('error', 'now');
const warning = define('warning', 'weekly');
const reminder = define('warning', 'weekly', { isReminded: true });
const info = define('info', 'weekly');
const notice = define('info', 'weekly', { isNotice: true });

const rowEnded = '{subject} was renewed, corrected or removed.';

export const eventKinds = {
  'source.missing': error('incomplete', 'A source did not answer in full and has no earlier complete run to show.'),
  'source.carried': error('incomplete', 'A source did not answer in full; its last complete run is shown.'),
  'source.untrusted': error(
    'incomplete',
    'What produces a source’s values is not what it should be, or could not be read.',
  ),
  'source.suspect': error('incomplete', 'More of a source’s devices are gone or changed than is plausible.'),
  'source.partial': warning('incomplete', 'A source answered in full but for a few devices, which the event names.'),
  'source.sound-again': { ...info('resolved', 'A source is complete and sound again.'), urgency: 'now' },
  'source.left': { ...notice('removed-source', 'A source was removed from the settings.'), severity: 'warning' },
  'measurement.changed': {
    ...notice('changed', 'What produces a source’s values is not what it was.'),
    severity: 'warning',
  },
  'coverage.below': {
    ...error('below-minimum', 'Fewer devices certainly have the agent than policy.minimumCoverage asks for.'),
    isReminded: true,
  },
  'coverage.restored': info('resolved', 'Coverage is at or above policy.minimumCoverage again.'),
  'device.lost': { ...warning('lost', 'A device was Installed and no longer is.'), urgency: 'now' },
  'device.new-not-installed': warning('new', 'A device came without the agent.'),
  'device.overdue': reminder(
    'overdue',
    'Devices have been Not Installed for policy.overdueAfterDays or longer: one event a week for all of them.',
    'No device has been without the agent for so long.',
  ),
  'device.flapping': warning(
    'flapping',
    'A device changed between Installed and Not Installed more than three times in seven nights.',
  ),
  'device.recovered': {
    ...info('recovered', 'A device that was alerted on has the agent.'),
    resolvedSection: 'recovered',
  },
  'count.left': {
    ...warning(
      'removed-from-scope',
      'A device that was alerted on is no longer counted, and nobody installed the agent.',
    ),
    resolvedSeverity: 'warning',
    resolvedSection: 'removed-from-scope',
  },
  'count.cleaned-up': notice(
    'cleaned-up',
    'Devices that had not been heard from for long are gone from the platform, as its clean-up rule removes them.',
  ),
  baseline: {
    ...notice('baseline', 'A source’s first complete run, which later runs are compared with.'),
    urgency: 'now',
  },
  'machine.unenrolled': warning('unenrolled', 'A machine on the list of expected ones is enrolled nowhere.'),
  'device.silent': warning('not-reporting', 'Its console has not seen an Installed device for long.'),
  'list.unsound': reminder(
    'lists',
    'A list of machines is not sound, so nothing is concluded from it.',
    '{subject} is sound again, or no longer in the settings.',
  ),
  'list.baseline': {
    ...notice('baseline', 'A list’s first sound run, which counts its machines.'),
    urgency: 'now',
  },
  'deployment.drift': reminder(
    'deployment',
    'A deployment check that does not decide about the values fails.',
    '{subject} is as documented again, or no longer checked.',
  ),
  'exemption.expiring': reminder('exemptions', 'An exemption ends within 14 days.', rowEnded),
  'exemption.expired': reminder('exemptions', 'An exemption has ended; what it exempted is counted.', rowEnded),
  'exemption.unmatched': reminder(
    'exemptions',
    'An exemption fits no device.',
    '{subject} fits a device again, or was corrected or removed.',
  ),
  'exemption.ambiguous': reminder(
    'exemptions',
    'An exemption by name or user fits several devices and exempts none.',
    '{subject} fits one device, or was corrected or removed.',
  ),
  'exemption.invalid': reminder(
    'exemptions',
    'A row of the exemptions file lacks something that it needs or is not understood, and is ignored.',
    rowEnded,
  ),
  'acknowledgement.expired': reminder(
    'acknowledgements',
    'An acknowledgement has ended; its device is named in reminders again.',
    rowEnded,
  ),
  'acknowledgement.unmatched': reminder(
    'acknowledgements',
    'An acknowledgement fits no device.',
    '{subject} fits a device again, or was corrected or removed.',
  ),
  'acknowledgement.invalid': reminder(
    'acknowledgements',
    'A row of the acknowledgements file lacks something that it needs or is not understood, and is ignored.',
    rowEnded,
  ),
  'acceptance.expiring': reminder(
    'acceptances',
    'An attestation or acceptance in the settings ends within 30 days, or has ended.',
    '{subject} was renewed or removed.',
  ),
  'channel.undelivered': {
    ...reminder('channel', 'A channel has not accepted a message.', 'No message waits for the channel {subject}.'),
    urgency: 'now',
  },
  'housekeeping.unfinished': reminder(
    'store',
    'A run is published, and something that follows could not be done: copies, messages, the audit, retention.',
    '{subject} works again; the rest of it is done.',
  ),
  'run.failed': error(
    'failed',
    'A run failed; nothing is published for its date until a later run succeeds.',
    '{subject} failed; a later run succeeded.',
  ),
  'run.retracted': {
    ...notice('retracted', 'A person took a published run back; the run before it is published once more.'),
    urgency: 'now',
  },
  'clock.differs': reminder(
    'clock',
    'This machine’s clock is more than an hour from the clock of a platform or of the store.',
    "This machine's clock agrees with those of the servers again.",
  ),
  'retention.held-back': {
    ...notice('store', 'More than one run at once is past its retention; all are kept until a person lets them go.'),
    severity: 'warning',
  },
} as const satisfies Readonly<Record<string, EventDefinition>>;

export type EventKind = keyof typeof eventKinds;

/** The phases of an alert, and `notice` for news that opens none. */
export const phases = {
  first: { meaning: 'The alert opens.' },
  again: { meaning: 'The alert is still open, and the reminder interval has passed.' },
  over: { meaning: 'The alert is resolved.' },
  notice: { meaning: 'News that opens no alert: it is sent once.' },
} as const;

export type Phase = keyof typeof phases;

/** Whether the event is a reminder of an open alert; reminders come once a week, all in one run. */
export function isReminder({ kind, phase }: { readonly kind: EventKind; readonly phase: Phase }): boolean {
  return phase === 'again' && eventKinds[kind].isReminded === true;
}

interface SectionDefinition {
  readonly title: string;
  /** The action that it asks of a person. */
  readonly ask: string;
  /** Words behind the number of its devices in the title of a message. */
  readonly brief?: string;
}

/** The headings of a message, in the order in which to read them. */
export const sections = {
  failed: { title: 'What went wrong', ask: 'See the log, fix the cause and run again.' },
  incomplete: { title: 'Coverage is incomplete or unverified', ask: 'Find out why before you rely on the figures.' },
  channel: { title: 'A channel does not accept messages', ask: 'Repair it: its readers miss what it should report.' },
  clock: {
    title: 'Clocks differ',
    ask: 'Set the clock that is wrong: the dates of runs and the age of answers depend on it.',
  },
  store: { title: 'The store needs attention', ask: 'Runs are published all the same. Do what each line says.' },
  'below-minimum': { title: 'Coverage is below the minimum', ask: 'Install the agent on the devices in the report.' },
  lost: { title: 'Lost the agent', ask: 'Ask why it went, and install it again.', brief: 'lost the agent' },
  silent: {
    title: 'No longer reports the agent',
    ask: 'Nothing clear was said: find out whether the agent is still there.',
    brief: 'no longer reporting',
  },
  new: { title: 'New without the agent', ask: 'Install it.', brief: 'new without the agent' },
  unenrolled: { title: 'Enrolled nowhere', ask: 'Enrol it, or take it off the list.', brief: 'enrolled nowhere' },
  'not-reporting': {
    title: 'Installed, not checking in',
    ask: 'Find out whether the agent runs.',
    brief: 'not checking in',
  },
  flapping: {
    title: 'Keeps changing',
    ask: 'Find out what installs and removes the agent, or what reports it wrongly.',
    brief: 'changing all the time',
  },
  overdue: {
    title: 'Still without the agent',
    ask: 'Install it, or exempt these devices with a reason.',
    brief: 'overdue',
  },
  'removed-from-scope': {
    title: 'Removed from scope without the agent',
    ask: 'Nobody installed it: confirm that each exclusion is intended.',
    brief: 'removed from scope',
  },
  unlisted: {
    title: 'No longer listed, without the agent',
    ask: 'Nobody installed it, and the platform lists it no longer: find out whether the machine is still in use.',
    brief: 'no longer listed',
  },
  'cleaned-up': {
    title: 'Gone after a long silence',
    ask: 'Nothing to do if a clean-up rule of the platform removed them.',
    brief: 'gone after a long silence',
  },
  lists: { title: 'A list of machines is not sound', ask: 'Do what the line says: the list says nothing until then.' },
  changed: { title: 'The detection method changed', ask: 'Check whether the change is intended.' },
  deployment: { title: 'The deployment needs attention', ask: 'Correct what each line says, or its setting.' },
  exemptions: { title: 'Exemptions to review', ask: 'Renew, correct or remove these rows.' },
  acknowledgements: { title: 'Acknowledgements to review', ask: 'Renew, correct or remove these rows.' },
  acceptances: {
    title: 'Attestations and acceptances to renew',
    ask: 'Verify each again, then set its new date in the settings: without it, its check no longer passes.',
  },
  'removed-source': { title: 'Removed from the settings', ask: 'Nothing to do if this is intended.' },
  baseline: { title: 'First run', ask: 'Changes are reported from the next run.' },
  retracted: { title: 'Run retracted', ask: 'Its reports no longer count. Alerts that only it opened have ended.' },
  recovered: { title: 'Got the agent', ask: 'Nothing to do.', brief: 'got the agent' },
  resolved: { title: 'Resolved', ask: 'Nothing to do.' },
} as const satisfies Readonly<Record<string, SectionDefinition>>;

export type SectionName = keyof typeof sections;
