/** The texts of lists and device cards, and of what the page's script adds. */
import { type DeviceFieldKey, deviceFields } from '../../fields.ts';

export const listTexts = {
  needsActionLead:
    'Counted and Not Installed, longest missing first. Press Enter on a row, or click it, to see everything that is known about the device.',
  notSeenRecentlyLead:
    'Installed by the last answer, which is older than {days} {days:day|days} or of unknown age: nobody knows whether it is still true.',
  excluded: 'Not counted',
  search: 'Search',
  searchHint: 'Name, serial, user, model …',
  because: 'Why not counted',
  proven: 'Proof',
  provenYes: 'proven',
  provenNo: 'not proven',
  provenNoBecause: 'not proven ({because})',
  any: 'any',
  stale: 'stale',
  isNew: 'new in this run',
  overdue: 'overdue',
  acknowledged: 'acknowledged',
  reset: 'Show all',
  sort: 'Sort by',
  columns: 'Columns',
  copy: 'Copy as CSV',
  copyTable: 'Copy as table',
  download: 'Download',
  downloadForExcel: 'Download for Excel',
  moreFormats: 'More formats',
  moreFilters: 'More filters',
  missingFor: 'Missing for',
  daysOrLonger: '{days} days or longer',
  valueAge: 'Age of the value',
  measured: 'Detection method of the value',
  measuredNow: 'the current one',
  measuredBefore: 'an earlier one',
  unenrolledLead: 'Machines on the list of expected ones that no source knows, in the order of the list.',
  noUnenrolled: 'Every machine on the list is enrolled.',
  unenrolledNotJudged: 'Not known in this run.',
  allDevicesLead:
    'Every device of the run, also those about which there is nothing to say. What the other lists show of a device is on its card.',
  copied: 'Copied {count} {count:row|rows}.',
  copyFailed: 'The browser did not allow copying.',
  shown: '{shown} of {all} {all:device|devices}',
  shownRows: '{shown} of {all} {all:row|rows}',
  first: 'The first {shown} of {all}.',
  showMore: 'Show {count} more',
  showAll: 'Show all {count}',
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
  replacedBy: 'Replaced by',
  change: 'Change',
  before: 'Before',
  after: 'After',
  why: 'Why',
  inPlatformGroup: 'In the platform’s group',
  inPicture: 'By its status',
  verdict: 'Verdict',
  match: 'Match',
  owner: 'Owner',
  expires: 'Expires',
  bought: 'Bought',
  until: 'Expected until',
  note: 'Note',
  file: 'List',
  devices: 'Devices',
  result: 'Result',
} as const;

export const changeTexts = {
  lead: 'Since each source’s last complete and sound run. Counted before, plus those that joined, less those that left, is counted in this run.',
  leadOfRuns: 'From the run of {from} to the run of {to}, also machines whose answer gained or lost its proof.',
  searchHint: 'Name, user, site, lost …',
  since: 'Since',
  sinceBaselines: 'the last complete run',
  sinceDays: 'the last {days} days',
  betweenRuns: 'between two runs',
  from: 'From',
  to: 'To',
  compared: 'Two runs compared',
  none: 'Nothing changed.',
  flow: 'In the count',
  lost: 'lost',
  recovered: 'recovered',
  joined: 'joined',
  left: 'left',
  notListed: 'not listed',
  notCounted: 'not counted',
  unproven: 'not proven',
} as const;

export const groupTexts = {
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
  none: 'No group yet.',
  summary: 'Groups in numbers',
} as const;

export const cardTexts = {
  close: 'Close',
  history: 'History',
  noHistory: 'None kept.',
  answers: 'All answers',
  link: 'Link to this card',
  acknowledged: 'Acknowledged by',
  until: 'until {until}',
  nextStep: 'Next step: ',
  failedWith: 'Failed with {detail}. ',
  unproven: 'Not proven: ',
  repairedOn: 'It was repaired on {day}.',
  unchangedProvenFrom: 'An unchanged answer is proof again after a contact on {day} or later.',
  silent:
    'Its console has not seen the agent lately. Find out whether the agent runs, and whether the machine is in use.',
  contradictedBy: 'Show the other record',
  openIn: 'Open in {title}',
  restElsewhere:
    'Nothing changed in this run and nothing is to be done. Its dates are in devices.csv; what it was on another date is on that run’s page (Trend, “Every run”).',
  unknown:
    'No such device in the run of {slot}: {source} does not list it, and it did not leave within the last 90 days.',
  gone: 'It is no longer listed since the run of {slot}. Its last status was {status}; serial number: {serial}.',
  moved: 'A device with the same serial number is listed.',
  showNewer: 'Show it',
  known: 'first known as {to}',
  step: '{from} → {to}',
  noName: 'no name',
} as const;

export const describeTexts = {
  seen: 'last seen {time}',
  neverSeen: 'no contact known',
  installed: '{status}, {proof}, {seen}.',
  notInstalled: '{status} since at least {since} ({days} d), {proof}, {seen}. Reason: {reason}. {meaning}',
  notCounted: 'Not counted ({because}), {seen}. {meaning}',
} as const;

export const breakdownTexts = {
  lead: 'The same figures for each source, site, model and so on, those with most to do first. Every number opens its devices.',
  by: 'By',
  installed: 'Installed',
  provenInstalled: 'Proven Installed',
  provenNotInstalled: 'Proven missing',
  list: 'List',
  mail: 'Mail',
  mailTo: 'Mail the list of {name}',
  subject: '{agent}: devices without it ({name})',
  body: '{shown} of {count} {count:device that needs|devices that need} action by the run of {slot}, longest missing first.',
  completeList: 'The complete list: {list}',
  group: '{count} {count:device|devices}: {why}. {step}',
  since: 'missing since at least {slot}',
  rest: '… and {count} more',
  restInList: '… and {count} more, in the complete list',
} as const;

export const runTexts = {
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
