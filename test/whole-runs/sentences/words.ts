/** The words of sentences: what they look like there, and what the tables call them. */
const share = String.raw`[−+]\d+\.\d\d [a-z]+(?: [a-z]+)*(?: \([\d,]+(?: devices?)?\))?`;

/** Words of sentences that say what a figure is about. */
const wordPatterns = {
  source: 'macs|windows|all',
  system: 'macOS|Windows|All devices',
  where: 'Headquarters|macs',
  slot: String.raw`\d{4}-\d\d-\d\d`,
  day: String.raw`\d{4}-\d\d-\d\d`,
  list: 'needs-action|all-devices|changes|unenrolled|excluded|exemptions',
  facet: '[A-Za-z]+',
  field: 'source|platform|reason|site|department|building|category|model|os_version|user',
  value: '.*?',
  section: '[A-Z][a-zA-Z ,]+?',
  brief:
    '(?:lost the agent|no longer reporting|new without the agent|enrolled nowhere|not checking in|changing all the time|overdue|removed from scope|no longer listed|gone after a long silence|got the agent)',
  group: 'Agent Installed|Agent Not Installed|Installed|Not Installed',
  kind: '(?:new-)?(?:not-)?[a-z]+',
  title:
    '(?:the deployment needs attention|exemptions to review|acknowledgements to review|first run|a list of machines is not sound|resolved|attestations and acceptances to renew)',
  key: '[a-zA-Z]+',
  days: String.raw`\d+`,
  groupFigure: 'Members|Joined|Left|Differences',
  changeKind: '(?:lost|new-not-installed|removed|excluded|recovered|new-installed|included|moved|unproven|proven)',
  device: String.raw`(?:macs|windows)/\S+`,
  cut: '[a-z ]*…$',
  hold: [
    'enrolled less than policy.graceHours ago',
    'answered before the (?:repair|record that counted until now)',
    'not read in this run',
    'of a source(?: that is not sound|’s first run)',
    'changing all the time, which is an alert of its own',
    String.raw`kept so on purpose \(a canary\)`,
    'with an alert that was open before',
  ].join('|'),
  listName: 'expected|reporting',
  severity: 'info|warning|error',
  counts: String.raw`\d[\d,]* [a-z-]+(?:, \d[\d,]* [a-z-]+)*$`,
  until: 'the Mac’s next inventory report|a newer answer from Intune',
  rest: '.*',
  shares: `${share}(?:, ${share})*`,
  reason: '[a-z-]+',
  date: String.raw`\d{4}-\d\d-\d\d`,
  result: '[a-z]+',
} as const;

/** Words of sentences beside those of tables. */
const becauseWords: Readonly<Record<string, string>> = {
  'could not be read': 'unread',
  'has an answer of a detection method that is not sound': 'method-not-sound',
  'have answers of a detection method that is not sound': 'method-not-sound',
  'is of a source whose canary is wrong': 'canary-wrong',
  'are of a source whose canary is wrong': 'canary-wrong',
  'is Not Installed, but seen by the agent’s console': 'list-contradicts',
  'are Not Installed, but seen by the agent’s console': 'list-contradicts',
  'has no answer about the agent': 'no-answer',
  'have no answer about the agent': 'no-answer',
  'has an answer that says nothing for certain': 'not-clear',
  'have answers that say nothing for certain': 'not-clear',
  'has answers that contradict each other': 'contradicted',
  'have answers that contradict each other': 'contradicted',
  'has an answer older than the repair': 'before-repair',
  'have answers older than the repair': 'before-repair',
  'has an answer that is too old or of unknown age': 'old-answer',
  'have answers that are too old or of unknown age': 'old-answer',
};

/** A figure of a cell of a table, by the name of its column. */
const columns: Readonly<Record<string, string>> = {
  ...{ devices: 'devices', counted: 'counted', excluded: 'excluded', exempt: 'exempt', stale: 'stale' },
  ...{ installed: 'installed', not_installed: 'notInstalled', notInstalled: 'notInstalled', unproven: 'unproven' },
  ...{ proven_installed: 'provenInstalled', provenInstalled: 'provenInstalled', coverage: 'coverage' },
  ...{ proven_not_installed: 'provenNotInstalled', provenNotInstalled: 'provenNotInstalled' },
  ...{ coverage_low: 'low', low: 'low', coverage_high: 'high', high: 'high', lost: 'lost', recovered: 'recovered' },
  ...{ joined: 'joined', left: 'left', expected: 'expected', enrolled_nowhere: 'enrolledNowhere', silent: 'silent' },
  ...{ enrolledNowhere: 'enrolledNowhere', notExpected: 'notExpected', not_expected: 'notExpected' },
  ...{ Devices: 'devices', Counted: 'counted', Installed: 'installed', 'Needs action': 'notInstalled' },
  ...{ 'Proven Installed': 'provenInstalled', 'Proven Not Installed': 'provenNotInstalled', Coverage: 'coverage' },
  ...{ 'Certainly, %': 'low', 'At most, %': 'high', coverage_ratio: 'coverage', coverage_low_ratio: 'low' },
  ...{ coverage_high_ratio: 'high', counted_devices: 'counted', excluded_devices: 'excluded', stale_devices: 'stale' },
  ...{ installed_devices: 'installed', not_installed_devices: 'notInstalled', lost_devices: 'lost' },
  ...{ proven_installed_devices: 'provenInstalled', proven_not_installed_devices: 'provenNotInstalled' },
  ...{ recovered_devices: 'recovered', joined_devices: 'joined', left_devices: 'left', silent_devices: 'silent' },
  ...{ not_expected_devices: 'notExpected', expected_machines: 'expected', unenrolled_machines: 'enrolledNowhere' },
  ...{ reporting_ratio: 'reportingShare', reporting_low_ratio: 'reportingLow', reporting_high_ratio: 'reportingHigh' },
  ...{
    rows_claimed: 'claimed',
    rows_received: 'received',
    claimed_rows: 'claimed',
    received_rows: 'received',
    claimed: 'claimed',
    received: 'received',
    affected: 'affected',
    provenReporting: 'provenReporting',
    'reporting devices': 'reportingDevices',
  },
  ...{ reporting: 'reportingShare', reporting_low: 'reportingLow', reporting_high: 'reportingHigh' },
};

/** Words of sentences that the tables write in another way. */
export const codes: Readonly<Record<string, string>> = {
  ...becauseWords,
  macOS: 'macos',
  Windows: 'windows',
  'All devices': '',
  'the Mac’s next inventory report': 'macs',
  'a newer answer from Intune': 'windows',
  ...columns,
  ...{ Members: 'groupMembers', Joined: 'groupJoined', Left: 'groupLeft', Differences: 'groupDifferences' },
};

export const words: Readonly<Record<string, string>> = {
  ...wordPatterns,
  because: Object.keys(becauseWords).join('|'),
  column: Object.keys(columns).join('|'),
};
