/** Faults of paging, of exports, and of what the platforms answer. */
import type { FaultArea } from './fault.ts';

export const readingFaults: readonly FaultArea[] = [
  {
    title: 'Paging and completeness',
    faults: {
      P1: { fault: 'The server gives fewer rows a page than asked for', outcome: 'SAME' },
      P2: {
        fault: 'The total is missing, negative, text, too small, too large, or changes between pages',
        outcome: 'PART',
        note: 'With both numbers. A difference that further walks explain is SAME.',
      },
      P3: {
        fault: 'Devices come, go or move between pages',
        outcome: 'SAME',
        note: 'Where it cannot be proved, PART.',
      },
      P4: {
        fault: 'A device on two pages, the same or different',
        outcome: 'PART',
        note: 'With different values. Equal rows of one id are M5; those that one reading alone repeats moved from page to page meanwhile, and the other reading shows that none is missing.',
      },
      P5: { fault: 'An empty page in the middle, with a link to the next', outcome: 'SAME' },
      P6: { fault: 'An empty first page beside a total above zero', outcome: 'PART' },
      P7: { fault: 'The list of rows is missing, null, an object or text', outcome: 'PART' },
      P8: { fault: 'Next links that repeat, in a circle of one, two or many', outcome: 'PART' },
      P9: {
        fault: 'A next link to another host, in every disguise',
        outcome: 'PART',
        note: 'The other host receives nothing.',
      },
      P10: { fault: 'A next link to another path of the same origin', outcome: 'PART' },
      P11: { fault: 'A next link of 100 kB, or that is no text', outcome: 'PART' },
      P12: { fault: 'None, one, one page exactly, and one more or less', outcome: 'SAME' },
      P13: { fault: 'Pages that arrive in another order than asked', outcome: 'SAME' },
      P14: { fault: 'One page fails for ever, the others come', outcome: 'PART', note: 'Never a shorter list.' },
      P15: { fault: 'A page counted from one instead of zero', outcome: 'SAME' },
      P16: {
        fault: 'A link that has expired during the walk (410)',
        outcome: 'SAME',
        note: 'Walked once more; PART when it lasts.',
      },
      P17: { fault: 'The server ignores the filter', outcome: 'SAME', note: 'Every row is checked here again.' },
      P18: {
        fault: 'Another count disagrees with the rows',
        outcome: 'RULE',
        note: 'Compared with the baseline’s own difference: suspect above 20 percentage points and ten devices.',
      },
      P19: {
        fault: 'The same page again and again',
        outcome: 'PART',
        note: 'Not taken for a fleet, and not repaired.',
      },
      P20: {
        fault: 'Very many rows',
        outcome: 'SAME',
        note: 'Tests have 4,000 devices (the deep ones 20,000) and tables of 100,000 rows; a million is measured (docs/dev/large-companies.md).',
      },
      P21: {
        fault: 'Jamf Pro: a record that the server cannot render: 5xx, a web page, cut JSON or an endless body',
        outcome: 'RULE',
        note: 'The page is divided down to the record, which is unread and named by its id; the others are read. PART where the id is not known, where more than ten are more than a tenth, or, once the whole patience has passed, where the newest record fails even with its id alone.',
      },
      P22: {
        fault: 'Jamf Pro: a gateway that answers 504 at once to every large page',
        outcome: 'SAME',
        note: 'Smaller pages, in seconds.',
      },
      P23: {
        fault: 'Jamf Pro: a node that has not heard of a device yet denies it',
        outcome: 'SAME',
        note: 'A device is gone when a second look-up, 65 seconds later, denies it too.',
      },
      P24: {
        fault: 'Jamf Pro, one site: a device leaves and one with an old id comes between two pages',
        outcome: 'SAME',
        note: 'With `site`, the ids are always walked a second time.',
      },
      P25: { fault: 'Jamf Pro: blanks around an id', outcome: 'SAME', note: 'They are left out.' },
      P26: {
        fault: 'Intune, in ranges: a device comes, goes, is renamed across a key, or the pages go by position',
        outcome: 'SAME',
        note: 'One moment meets one of the two readings; what one of them lacks, or the report or the last run knows beside both, is looked up by its id.',
      },
      P27: {
        fault:
          'Intune, in ranges: the filter is refused, ignored, or ignored in combination; a range hides devices; its pages fail',
        outcome: 'SAME',
        note: 'Read serially, twice; the receipt says why.',
      },
      P28: {
        fault: 'Intune, in ranges: devices without a date, or of year 1, which are in no range',
        outcome: 'SAME',
        note: 'Read serially where one is known, or where the service counts more devices than are listed by a larger share than it did.',
      },
    },
  },
  {
    title: 'Intune’s export job, its archive and its CSV',
    faults: {
      X1: {
        fault: 'A job that never ends',
        outcome: 'SAME',
        note: 'A fresh job beside it, at most three, then the synchronous rows.',
      },
      X2: { fault: 'A job that fails, or has a status nobody knows, or none', outcome: 'SAME', note: 'As X1.' },
      X3: { fault: 'A completed job without an address', outcome: 'SAME', note: 'Asked again, then a new job.' },
      X4: {
        fault: 'The download’s address has expired',
        outcome: 'SAME',
        note: 'Read from the job anew, then a new job. Its query is in no message.',
      },
      X5: {
        fault: 'The download lies at another host',
        outcome: 'SAME',
        note: 'Not fetched: the synchronous rows are used. A download never gets a credential.',
      },
      X6: {
        fault: 'Columns in another order, renamed, twice, missing, more than asked for',
        outcome: 'RULE',
        note: 'Found by name; a required one that is missing or twice is `answer-unreadable`.',
      },
      X7: {
        fault: 'No archive, a cut one, none or two members, a name that climbs, encryption, an unknown method',
        outcome: 'RULE',
        note: '`zip-broken`, a fresh job, then the synchronous rows: SAME in the end. Nothing is written to disk.',
      },
      X8: { fault: 'An archive that lies about a size', outcome: 'RULE', note: 'As X7.' },
      X9: { fault: 'A flipped bit anywhere in the archive', outcome: 'RULE', note: 'Never silently another text.' },
      X10: { fault: 'A zip bomb', outcome: 'RULE', note: 'As X7, above 256 MB.' },
      X11: {
        fault: 'CSV with bare or open quotes, NUL, other line ends, rows too short or too long, blank lines',
        outcome: 'RULE',
        note: 'Read as RFC 4180 says, or `answer-unreadable`; never a row lost.',
      },
      X12: {
        fault: 'CSV cut at a line end',
        outcome: 'SAME',
        note: 'The rows are compared with the synchronous count; PART where nothing better comes.',
      },
      X13: {
        fault: 'Dates: empty, year 1, year 9999, in the future, without zone, numbers',
        outcome: 'RULE',
        note: 'Not known, and never very old. Without a zone they are UTC.',
      },
      X14: {
        fault: 'States in words, in other spellings, or unknown',
        outcome: 'RULE',
        note: 'Exact match; what is not known is Not Installed, unproven.',
      },
      X15: {
        fault: 'The report is one of yesterday',
        outcome: 'RULE',
        untested:
          'The report has no date of its own that Muster could compare. Age is judged by each device’s last sync instead (classify.test.ts).',
      },
    },
  },
  {
    title: 'What Jamf Pro answers',
    faults: {
      J1: {
        fault: 'The extension attribute was renamed, deleted, disabled, or has another type',
        outcome: 'PART',
        note: 'With its new name in the message. Disabled or of another type: untrusted.',
      },
      J2: {
        fault: 'The value is empty, blank, null, absent, old or another word',
        outcome: 'RULE',
        note: 'One row each in the table of statuses and reasons.',
      },
      J3: { fault: 'Two attributes of one name', outcome: 'PART', note: 'The message has both ids.' },
      J4: {
        fault: 'Two devices of one name, one serial number, or none',
        outcome: 'RULE',
        note: 'The platform’s id tells them apart; what is shared is a finding.',
      },
      J5: {
        fault: 'Devices that are unmanaged, never reported, or enrolled without a contact',
        outcome: 'RULE',
        note: 'Not counted, or counted as never reported or stale; always listed.',
      },
      J6: {
        fault: 'XML with a document type, entities, comments',
        outcome: 'PART',
        note: 'A document type and every entity but the five of XML are refused.',
      },
      J7: { fault: 'XML that is cut, has two roots, text around its root, or is a web page', outcome: 'PART' },
      J8: { fault: 'XML elements named as properties of every object', outcome: 'SAME' },
      J9: { fault: 'None, one or several children', outcome: 'SAME' },
      J10: { fault: 'Text that looks like a number', outcome: 'SAME', note: 'It stays text.' },
    },
  },
  {
    title: 'What real servers do',
    faults: {
      F1: {
        fault: 'A device that the service cannot render, so that each page with it fails',
        outcome: 'PART',
        note: 'Named in minutes, after pages of one device; where the first device fails even with its id alone, the whole patience passes, and no device is named. SAME where a smaller page gets round it.',
      },
      F2: {
        fault: 'The gateway of the Jamf Platform is in front of Jamf Pro: other paths, another sign-in, a header',
        outcome: 'SAME',
        note: 'An environment that it refuses is `environment-refused`; its 404 is not taken for an older server. After a 429, `x-ratelimit-reset` is waited for.',
      },
      F4: {
        fault: 'Configuration Manager delivers the apps of a co-managed PC; or the service refuses to say who does',
        outcome: 'RULE',
        note: 'Known for each device; where the service refuses, it is asked without.',
      },
      F5: {
        fault: 'Each update of the app is a new app object of the same name',
        outcome: 'RULE',
        note: 'All of the name are read together; those of another detection rule are left out and named by `windows.app`. An id means that app alone.',
      },
      F6: {
        fault: 'A first night whose report has no row about any device',
        outcome: 'PART',
        note: 'Suspect, and no baseline.',
      },
      F7: {
        fault: 'A clean-up rule of the platform removes devices that were silent for long',
        outcome: 'RULE',
        note: 'No drop: one event says how many.',
      },
      F8: {
        fault: 'A device has an old Installed of one user, and today’s Not installed of another',
        outcome: 'RULE',
        note: 'The newest outcome decides.',
      },
      F9: {
        fault: 'A report service that knows only the documented columns',
        outcome: 'SAME',
        note: 'Asked with those where it refuses the others.',
      },
      F10: { fault: 'An app of the Enterprise App Catalog', outcome: 'SAME', note: 'It is a Win32 app.' },
      F11: { fault: 'Dates far in the future', outcome: 'RULE', note: 'More than a day after the reading: not known.' },
      F13: {
        fault: 'A report in which every state is a word that nobody knows',
        outcome: 'PART',
        note: 'Unreadable, and not a fleet without the agent.',
      },
      F14: {
        fault: 'A page size that is refused, or fails at once',
        outcome: 'SAME',
        note: 'Asked with a smaller one, in seconds.',
      },
      F16: {
        fault: 'A Date header that is no HTTP date',
        outcome: 'RULE',
        note: 'No clock is compared with it, and no run closed by it.',
      },
    },
  },
];
