/**
 * Every text of the page that Muster writes, in one file, so that it can be translated. `{name}` is filled in;
 * of `{name:one|many}` the form that fits the number is kept.
 */

import { pluralize } from '../../core/pluralize.ts';
import {
  answersProofs,
  changes as changeWords,
  checkResults,
  exclusions,
  exemptionResults,
  groupVerdicts,
  reasons,
  soundnessWords,
  statuses,
} from '../../core/vocabulary.ts';
import { type DeviceFieldKey, deviceFields } from '../fields.ts';

export const locale = 'en-GB';

export const pageTexts = {
  title: '{agent} – run of {slot}',
  skip: 'Skip to the devices that need action',
  sections: 'Sections',
  noScript: 'Lists need JavaScript; the same rows are in the CSV files beside this page.',
  firstRows: '{shown} of {all}. The whole list, its search and its filters need JavaScript; every row is in {file}.',
  firstRowsOf: 'First rows: {name}',
  trouble:
    'Part of this page failed in this browser: {message}. The files at the end of the page have every row; where a list shows only its first rows, it says so.',
  made: 'Made by Muster {version} from the answers of the run of {slot}. This page makes no network requests.',
  files: 'The same run as files:',
} as const;

/** The sections of the page by their ids, in the order of the navigation. */
export const sectionTitles = {
  overview: 'Overview',
  trend: 'Trend',
  'needs-action': 'Needs action',
  breakdown: 'Breakdown',
  'not-seen-recently': 'Not seen recently',
  changes: 'Changes',
  compare: 'Compare',
  groups: 'Groups',
  'all-devices': 'All devices',
  'data-quality': 'Data quality',
  glossary: 'Glossary',
} as const;

export const themeTexts = { system: 'System', light: 'Light', dark: 'Dark', label: 'Colours' } as const;

export const overviewTexts = {
  run: 'Run of {slot}',
  judged: 'ages judged at',
  complete: 'Complete and sound: every source answered in full, and every instrument asks the right question.',
  firstRun: 'Complete and sound. This is the first run: the baseline that later runs are compared with.',
  missing: '{source} has no answers that can be shown.',
  carried: '{source} did not answer in full; its answers of {slot} are shown.',
  untrusted: '{source} was measured with an instrument that is not what it should be; none of its values is proof.',
  suspect: '{source} changed more than is plausible since {slot}; check it before you act on it.',
  unread: '{count} {count:thing|things} besides could not be read, on which the number does not depend: see {what}.',
  below: 'The low figure is below the agreed minimum of {minimum} %.',
  accepted: 'Accepted by {by}, overriding the anomaly check: {sources}.',
  empty: 'No device is counted, so there is no coverage to show.',
  have: 'of {counted} counted {counted:device has|devices have} it',
  interval: 'Certainly {low} %, at most {high} %; the headline is {coverage} %.',
  intervalAndTarget:
    'Certainly {low} %, at most {high} %; the headline is {coverage} %, and the target of the low figure is {target} %.',
  target: 'target {target} %',
  open: 'Missing for at least:',
  openFor: '{days} days',
  forecast: 'At the pace of the last 14 sound runs, the low figure reaches {target} % on {on}.',
  certainly: 'certainly',
  most: 'at most',
  devices: 'Devices',
  notCounted: '{count} not counted',
  allCounted: 'all counted',
  needsAction: 'Needs action',
  proven: '{count} proven',
  stale: 'Old answers',
  ofCounted: 'of {counted} counted',
  changed: 'Changed',
  since: 'since {slot}',
  sinceBaselines: 'since each source’s last complete run',
  noChanges: 'nothing to compare with yet',
  lost: 'lost',
  recovered: 'recovered',
  joined: 'joined',
  left: 'left',
} as const;

export const sourceTexts = {
  caption: 'Sources',
  source: 'Source',
  quality: 'Data quality',
  coverage: 'Coverage',
  interval: 'low – high',
  needsAction: 'Needs action',
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
  'Interval: at least the low figure certainly have the agent and at most the high figure can; between them are devices that nobody has a clear, recent answer for.',
] as const;

export const trendTexts = {
  title: 'Trend',
  lead: 'Coverage of the last 90 days, from the first run on: the line is the headline, the band reaches from low to high. A gap is a run that was not published.',
  chart: 'Coverage of {platform}, run by run',
  all: 'All devices',
  value:
    '{slot}: {coverage} % (certainly {low} %, at most {high} %), {notInstalled} of {counted} {notInstalled:needs|need} action',
  nothing: '{slot}: no device counted',
  instrument: 'instrument of {sources} changed',
  instrumentMark: 'instrument changed',
  cutMark: 'untrusted: the interval continues beyond the axis',
  band: 'certainly to at most',
  line: 'headline',
  notes: 'Notes',
  table: 'Every run with its exact values',
  run: 'Run',
  marks: 'Marks',
  empty: 'No run is kept yet.',
} as const;

export const listTexts = {
  needsAction: 'Needs action',
  needsActionLead:
    'Counted and Not Installed, longest missing first. Press Enter on a row, or click it, to see everything that is known about the device.',
  notSeenRecently: 'Not seen recently',
  notSeenRecentlyLead:
    'Installed by the last answer, which is older than {days} {days:day|days}: nobody knows whether it is still true.',
  excluded: 'Not counted',
  excludedLead: 'Known to a platform, but not counted. A superseded record names the newer record of the same machine.',
  search: 'Search',
  searchHint: 'Name, serial, user, model …',
  source: 'Source',
  platform: 'Platform',
  reason: 'Reason',
  because: 'Why not counted',
  proven: 'Proof',
  provenYes: 'proven',
  provenNo: 'not proven',
  any: 'any',
  stale: 'stale',
  isNew: 'new in this run',
  overdue: 'overdue',
  acknowledged: 'acknowledged',
  reset: 'Show all',
  columns: 'Columns',
  copy: 'Copy as CSV',
  copyTable: 'Copy as table',
  download: 'Download',
  moreFilters: 'More filters',
  status: 'Status',
  missingFor: 'Missing for',
  daysOrLonger: '{days} days or longer',
  valueAge: 'Age of the value',
  contactAge: 'Last contact',
  measured: 'Detection method of the value',
  measuredNow: 'the current one',
  measuredBefore: 'an earlier one',
  allDevices: 'All devices',
  allDevicesLead:
    'Every device of the run, also those about which there is nothing to say. What the other lists show of a device is on its card.',
  copied: 'Copied {count} {count:row|rows}.',
  copyFailed: 'The browser did not allow copying.',
  shown: '{shown} of {all} {all:device|devices}',
  shownRows: '{shown} of {all} {all:row|rows}',
  none: 'No device here.',
  noneFits: 'No device matches. Change the search or the filters.',
  glossary: 'Glossary:',
  unknown: 'not known',
  days: '{days} d',
  daysLong: '{days} {days:day|days}',
  yes: 'yes',
  no: 'no',
} as const;

/** Titles of the columns: the fields of a device, and the further columns of the other lists. */
export const columnTitles = {
  ...(Object.fromEntries(deviceFields.map(({ key, title }) => [key, title])) as Readonly<
    Record<DeviceFieldKey, string>
  >),
  since: 'Missing since',
  replacedBy: 'Replaced by',
  change: 'Change',
  from: 'From',
  to: 'To',
  why: 'Why',
  inPlatformGroup: 'In the platform’s group',
  inPicture: 'In the picture',
  verdict: 'Verdict',
  match: 'Match',
  owner: 'Owner',
  expires: 'Expires',
  devices: 'Devices',
  result: 'Result',
} as const;

export const changeTexts = {
  title: 'What changed',
  lead: 'Since each source’s last complete and sound run. Counted before, plus those that joined, less those that left, is counted in this run.',
  none: 'Nothing changed.',
  kind: 'Change',
  flow: 'In the count',
  joined: 'joined',
  left: 'left',
} as const;

export const compareTexts = {
  title: 'Compare two runs',
  lead: 'Devices whose status is not the same in both runs, by what the complete and sound runs up to {slot} recorded. muster diff compares any two kept runs.',
  from: 'Run',
  to: 'With',
  none: 'There is only one run yet.',
  same: 'No device changed between them.',
  notThere: 'not there',
  coverage: 'Coverage',
  quality: 'Data quality',
} as const;

export const groupTexts = {
  title: 'Groups',
  lead: 'Who belongs to which group, and where the platform’s own smart group differs from its criterion.',
  group: 'Group',
  kept: 'Kept by',
  platform: 'the platform',
  ours: 'Muster alone',
  notRead: 'not known: it could not be read',
  members: 'Members',
  joined: 'Joined',
  left: 'Left',
  differences: 'Differences',
  differs: 'differs',
  show: 'Show',
  all: 'everybody',
  rows: 'Members',
  none: 'No group yet.',
  summary: 'Groups in numbers',
} as const;

export const dataQualityTexts = {
  title: 'Data quality',
  checks: 'Deployment checks',
  check: 'Check',
  result: 'Result',
  expected: 'Expected',
  found: 'Found',
  advice: 'What to do',
  unread: 'Could not be read',
  unreadLead: 'The numbers do not depend on these, so the run is complete without them.',
  group: 'group {group}',
  deciding: 'decides whether values mean anything',
  noChecks: 'No check was made.',
  completeness: 'Completeness',
  pages: 'Pages',
  walks: 'Walks',
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
  unknown: 'not known',
  values: 'Values',
  contacts: 'Last contact',
  exemptions: 'Exemptions',
  noExemptions: 'There are no exemptions.',
} as const;

export const cardTexts = {
  close: 'Close',
  history: 'History',
  historyLead: 'Its recorded transitions, oldest first.',
  noHistory: 'None kept.',
  answers: 'All answers',
  link: 'Link to this card',
  acknowledged: 'Acknowledged by',
  until: ', until {until}',
  nextStep: 'Next step',
  openIn: 'Open in {title}',
  restElsewhere: 'Nothing changed and nothing is to be done. Its dates of enrolment and report are in devices.csv.',
  unknown:
    'No such device in the run of {slot}: {source} does not list it, and it did not leave within the last 90 days.',
  departed: 'It is no longer listed since the run of {slot}. Its last status was {status}; serial number: {serial}.',
  noSerial: 'not known',
  moved: 'A device with the same serial number is listed.',
  showNewer: 'Show it',
  known: 'first known as {to}',
  step: '{from} → {to}',
  noName: 'no name',
} as const;

/** A device in a sentence. */
export const describeTexts = {
  seen: 'last seen {time}',
  neverSeen: 'no contact known',
  proven: 'proven',
  stale: 'not proven (its answer is old)',
  notProven: 'not proven',
  installed: '{status}, {proof}, {seen}.',
  notInstalled: '{status} since at least {since} ({days} d), {proof}, {seen}. {reason}: {meaning}',
  notCounted: 'Not counted ({because}): {meaning} {seen}.',
} as const;

/** Names of the platforms' consoles, by kind of source. */
export const consoleTitles: Readonly<Record<string, string>> = { jamf: 'Jamf Pro', intune: 'Microsoft Intune' };

export const breakdownTexts = {
  title: 'Breakdown',
  lead: 'The same figures for each source, site, model and so on, those with most to do first. Every number opens its devices.',
  by: 'By',
  installed: 'Installed',
  provenInstalled: 'Proven Installed',
  provenNotInstalled: 'Proven missing',
  list: 'List',
  mail: 'Mail',
  mailTo: 'Mail the list of {name}',
  more: '{shown} of {all}, those with most to do; coverage-by.csv and the lists have all.',
  subject: '{agent}: devices without it ({name})',
  body: 'These {count} {count:device|devices} need action, by the run of {slot}: name, serial number, user, reason.',
  rest: '… and {count} more',
} as const;

export const nightTexts = {
  previous: 'Previous run ({slot})',
  next: 'Next ({slot})',
  latest: 'Latest',
} as const;

export const findTexts = {
  label: 'Find a device',
  hint: 'Find any device: name, serial, user, id',
  results: 'Devices found',
  none: 'No such device: none of the {all} devices of the run of {slot} has that name, serial number, user or id.',
  found: '{count} of {all} devices',
  showAll: 'Show them all in a list',
} as const;

export const workbookTexts = {
  coverage: 'Coverage, %',
  low: 'Certainly, %',
  high: 'At most, %',
  target: 'Target of the low figure, %',
  counted: 'Devices counted',
  notCounted: 'Devices not counted',
  openFor: 'Of these, missing for {days} days or longer',
  longestMissing: 'The {count} longest missing',
  allDevices: 'Every device, with all that is known of it, is in devices.csv.',
} as const;

export const printTexts = {
  needsAction: 'Needs action',
  more: '{shown} of {all}; the rest is in muster.xlsx.',
  reasons: 'Why they are Not Installed',
  troubles: 'Checks that did not pass',
  noTroubles: 'Every check that was made passed.',
} as const;

/** The terms of the reports and what they mean; the page links to them from where they are used. */
export const glossary: readonly {
  readonly group: string;
  readonly name: string;
  readonly words: Readonly<Record<string, { readonly meaning: string }>>;
}[] = [
  {
    group: 'status',
    name: 'Status and proof',
    words: {
      ...statuses,
      proven: { meaning: 'A clear, recent answer, and the instrument that gave it is sound.' },
      stale: {
        meaning:
          'The device has not reported for longer than the policy allows. Its status is kept, but proves nothing.',
      },
      overdue: { meaning: 'Not Installed for as long as the policy allows, or longer.' },
      counted: { meaning: 'Part of coverage. Devices that are not counted are listed with the reason.' },
    },
  },
  { group: 'reason', name: 'Reasons', words: reasons },
  { group: 'excluded', name: 'Not counted because', words: exclusions },
  { group: 'soundness', name: 'Data quality by source', words: bestFirst(soundnessWords) },
  { group: 'proof', name: 'Completeness of Windows answers', words: bestFirst(answersProofs) },
  { group: 'change', name: 'Changes', words: changeWords },
  { group: 'verdict', name: 'Groups', words: groupVerdicts },
  { group: 'result', name: 'Checks and exemptions', words: { ...checkResults, ...exemptionResults } },
];

function bestFirst<Word>(words: Readonly<Record<string, Word>>): Readonly<Record<string, Word>> {
  return Object.fromEntries(Object.entries(words).reverse());
}

/** The glossary's anchor of a word; terms that mean different things in different places have several. */
export function toWordId(group: string, word: string): string {
  return `word-${group}-${word.toLowerCase().replaceAll(' ', '-')}`;
}

export function fillText(text: string, values: Readonly<Record<string, string | number>>): string {
  return chooseForms(text, values).replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
}

/** Chooses between the forms of words, and leaves `{name}` to be filled in later. */
export function chooseForms(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+):([^|}]*)\|([^}]*)\}/g, (_, name: string, one: string, many: string) =>
    pluralize(Number(values[name]), one, many),
  );
}

const numberFormat = new Intl.NumberFormat(locale);

export function formatNumber(value: number): string {
  return numberFormat.format(value);
}

export function formatPercent(value: number | undefined): string {
  return value === undefined ? '–' : value.toFixed(2);
}

/** A platform that no kind of source has a title for keeps its own name. */
export function formatPlatform(titles: Readonly<Record<string, string>>, platform: string): string {
  return (Object.hasOwn(titles, platform) ? titles[platform] : undefined) ?? platform;
}
