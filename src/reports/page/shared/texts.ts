/**
 * Texts of the page's frame, first screen, trend, data quality and paper, and of the workbook; those of lists and cards
 * are in `list-texts.ts`. A translation needs these two files and the glossary. `{name}` is filled in;
 * `{name:one|many}` keeps the form that fits the number.
 */

export const pageTexts = {
  title: '{agent} – run of {slot}',
  skip: 'Skip to the devices that need action',
  sections: 'Sections',
  noScript: 'Lists need JavaScript; the same rows are in the CSV files beside this page.',
  firstRows: '{shown} of {all}. The whole list, its search and its filters need JavaScript; every row is in {file}.',
  trouble:
    'Part of this page failed in this browser: {message}. The files at the end of the page have every row; where a list shows only its first rows, it says so.',
  made: 'Made by Muster {version} from the answers of the run of {slot}. This page makes no network requests.',
  files: 'The same run as files:',
  inFiles: '(in the files: {word})',
} as const;

/** The sections of the page by their ids, in the order of the navigation. */
export const sectionTitles = {
  overview: 'Overview',
  trend: 'Trend',
  'needs-action': 'Needs action',
  unenrolled: 'Enrolled nowhere',
  breakdown: 'Breakdown',
  changes: 'What changed',
  groups: 'Groups',
  'all-devices': 'All devices',
  'data-quality': 'Data quality',
  glossary: 'Glossary',
} as const;

export const themeTexts = { system: 'System', light: 'Light', dark: 'Dark', label: 'Colours' } as const;

/** Names of the interval's ends, apart from the overview's sentences, which the page's script does not need. */
export const intervalTexts = { low: 'certainly', high: 'at most' } as const;

/** Where every source is sound, also for the terminal. */
export const answeredInFull = 'every source answered in full, and the detection methods are sound.';

export const overviewTexts = {
  run: 'Run of {slot}',
  judged: 'as of',
  complete: `Complete and sound: ${answeredInFull}`,
  wide: 'Complete, but not certain.',
  firstRun: 'Complete and sound: the first run, so there is nothing to compare with yet.',
  missing: '{source} has no answers that can be shown.',
  carried: '{source} did not answer in full; its last known answers, of {slot}, are shown.',
  untrusted: '{source} answered in full, but none of its answers is proof: the detection method is not sound.',
  partial: '{source} answered in full but for {devices}.',
  suspect: '{source} changed more than is plausible since {slot}; check it before you act on it.',
  unread:
    '{count} {count:group or check|groups or checks} could not be read; the number does not depend on {count:it|them}.',
  below: 'Certainly {low}\u00a0% have it, which is below the agreed minimum of {minimum}\u00a0%.',
  accepted: 'Accepted by {by}, overriding the anomaly check: {sources}.',
  empty: 'No device is counted, so there is no coverage to show.',
  have: 'of {counted} counted {counted:device has|devices have} it',
  interval: 'Certainly {low}\u00a0%, at most {high}\u00a0%; the headline is {coverage}\u00a0%.',
  intervalAndTarget:
    'Certainly {low}\u00a0%, at most {high}\u00a0%; the headline is {coverage}\u00a0%, and the target for what is certain is {target}\u00a0%.',
  target: 'target {target}\u00a0%',
  open: 'Not Installed for at least',
  openFor: '{days} days:',
  forecast: 'At the pace of the last 14 sound runs, what is certain reaches {target}\u00a0% on {on}.',
  notCounted: '{count} not counted',
  allCounted: 'all counted',
  proven: '{count} proven',
  overdue: '{count} overdue',
  doFirst: 'Do first',
  firstStep: '{count} of {all} ({source}: {why}), worth {points} points. {step}',
  enrolledNowhere: 'Of {expected} {expected:machine|machines} on the list {nowhere}; {others}.',
  nowhere: '{count} {count:is|are} enrolled nowhere',
  notExpected: '{count} counted {count:device is|devices are} not on it',
  notJudged: 'Which machines on the list are enrolled nowhere is not known: nothing is known of {sources}.',
  reporting: 'Have it and check in: {coverage}\u00a0%; {silent}.',
  silent: '{count} Installed {count:device is|devices are} not checking in',
  unsoundList: 'The list {list} is {soundness}, so it says nothing about this run.',
  stale: 'Old answers',
  ofCounted: 'of {counted} counted',
  changed: 'Changed',
  certainty: 'Certainty',
  allProven: 'Every counted device is proven.',
  lists: 'Lists',
  since: 'since {slot}',
  sinceBaselines: 'since each source’s last complete run',
  coverage: 'Coverage',
  noChanges: 'Nothing to compare with yet: this is the first run.',
} as const;

export const sourceTexts = {
  caption: 'Sources',
  coverage: 'Coverage',
  interval: 'certainly – at most',
  rows: 'Rows received',
  of: '{received} of {claimed}',
  answers: 'answers {received} of {claimed}',
  newest: 'Newest value',
  oldest: 'Oldest value',
  instrument: 'With the current detection method',
  measured: '{count} of {all} {all:value|values}',
  unchanged: 'no change seen since {slot}',
  changedOn: 'changed on {slot}',
  repairedOn: 'sound again since {slot}',
  instrumentUnknown: 'could not be read',
} as const;

export const limitSentences = [
  '“Complete” means all that the platforms know: a machine enrolled nowhere is invisible to them.',
  '“Installed” means that the agent’s file is there, not that it runs.',
] as const;

export const definitionSentences = [
  'Status: every device is Installed or Not Installed; when nobody can tell us, it counts as Not Installed and the reason says so.',
  'Proven: the platform gave a clear, recent answer, and we checked that it asks the right question.',
  'Interval: at least the first figure certainly have the agent and at most the second can; between the two are devices that nobody has a clear, recent answer for.',
] as const;

export const trendTexts = {
  lead: 'Coverage of the last 90 days, from the first run on: the line is the headline, the band reaches from certainly to at most. A gap in the band is a run that was not published.',
  chart: 'Coverage of {platform}, run by run',
  value:
    '{slot}: {coverage}\u00a0% (certainly {low}\u00a0%, at most {high}\u00a0%), {notInstalled} of {counted} {notInstalled:needs|need} action',
  nothing: '{slot}: no device counted',
  instrument: 'detection method of {sources} changed',
  instrumentMark: 'detection method changed',
  bandShown: 'certainly to at most, as far as the axis shows it',
  wholeAxis: 'Axis from 0 to 100',
  band: 'certainly to at most',
  line: 'headline',
  weak: 'to or from a run that was not complete and sound',
  reporting: 'have it and check in; a gap where its list was not sound',
  reportingValue: '{reporting}\u00a0% have it and check in',
  notes: 'Notes',
  ignoredNote: 'Ignored in the notes file',
  table: 'Every run with its exact values',
  run: 'Run',
  marks: 'Marks',
  empty: 'No run is kept yet.',
} as const;

export const dataQualityTexts = {
  checks: 'Deployment checks',
  check: 'Check',
  expected: 'Expected',
  found: 'Found',
  advice: 'What to do',
  unread: 'Could not be read',
  unreadLead: 'The numbers do not depend on these, so the run is complete without them.',
  group: 'group {group}',
  deciding: 'decides whether values mean anything',
  noChecks: 'No check was made.',
  otherChecks: '{count} further {count:check|checks}',
  completeness: 'Completeness',
  pages: 'Pages',
  walks: 'Times read',
  retries: 'Retries',
  firstId: 'First id',
  lastId: 'Last id',
  readingPeriod: 'Requested from',
  until: 'until',
  overview: 'Platform’s overview',
  unlisted: 'Only in the app report',
  ages: 'How old the answers are',
  agesLead:
    'Counted devices by the age of their value and of their last contact, at the time of the run. Older than {days} {days:day|days} is stale.',
  upTo: 'up to {days} d',
  older: 'older',
  values: 'Values',
  exemptions: 'Exemptions',
  noExemptions: 'There are no exemptions.',
} as const;

export const workbookTexts = {
  coverage: 'Coverage, %',
  low: 'Certainly, %',
  high: 'At most, %',
  target: 'Target for what is certain, %',
  counted: 'Devices counted',
  notCounted: 'Devices not counted',
  openFor: 'Of these, Not Installed for {days} days or longer',
  longestMissing: 'The {count} that have needed action longest',
  allDevices: 'Every device, with all that is known of it, is in devices.csv.',
} as const;

export const printTexts = {
  more: '{shown} of {all}; the rest is in muster.xlsx.',
  reasons: 'Why they are Not Installed',
  troubles: 'Checks that did not pass',
  noTroubles: 'Every check that was made passed.',
} as const;
