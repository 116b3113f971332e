/**
 * Every fault that Muster is held against, with what must come of it. A test names the faults that it proves in its
 * name, as `[A1]` or `[A1, H7]`; `docs/dev/reliability.md` is made from this table and those names.
 */

export const outcomes = {
  SAME: 'the tables are the same as without the fault',
  PART: 'published with exit 3; a source that could not be read completely is carried (missing, without a baseline), keeps its devices’ status and says why',
  CLOSED: 'nothing is published; the log is as it was, the error has a code, the exit is not 0',
  REFUSE: 'refused by name before anything is sent',
  RULE: 'a rule of its own, in the last column',
} as const;

export interface Fault {
  readonly fault: string;
  readonly outcome: keyof typeof outcomes;
  /** The rule, or what is different here from what one would expect. */
  readonly note?: string;
  /** Why there can be no test of it here. */
  readonly untested?: string;
}

export interface FaultArea {
  readonly title: string;
  readonly faults: Readonly<Record<string, Fault>>;
}

const carried = 'One source that fails never closes a run.';

export const faultAreas: readonly FaultArea[] = [
  {
    title: 'Signing in',
    faults: {
      A1: { fault: 'The token expires between two pages, at any page', outcome: 'SAME' },
      A2: {
        fault: 'Every request is answered 401, also with a fresh token',
        outcome: 'PART',
        note: `At most two renewals for each request. ${carried}`,
      },
      A3: { fault: 'Every page is answered 401 once', outcome: 'SAME', note: 'One renewal for each 401.' },
      A4: {
        fault: '403: a permission is missing',
        outcome: 'PART',
        note: 'Asked once; the message names the permission.',
      },
      A5: {
        fault: 'The token endpoint answers 429, 500, a web page, no token, or a lifetime that is none; or hangs',
        outcome: 'RULE',
        note: 'Passing failures: SAME. Lasting ones: PART. A lifetime that is none never becomes a date; the token is used until it is refused.',
      },
      A6: { fault: 'Tokens live shorter than any safety margin', outcome: 'SAME' },
      A7: { fault: 'Twenty requests find the token expired at once', outcome: 'SAME', note: 'They share one sign-in.' },
      A8: {
        fault: 'A sign-in fails while others wait for it',
        outcome: 'PART',
        note: 'All fail once, for the same reason.',
      },
      A9: { fault: 'The platform takes a token back during the run', outcome: 'SAME' },
      A10: {
        fault: 'The secret was rotated since it was read',
        outcome: 'SAME',
        note: 'Read once more when it is refused; PART where that one is refused too.',
      },
      A11: {
        fault: 'The secret is JSON, has a line break or a byte-order mark, is empty, or is no text',
        outcome: 'RULE',
        note: 'Trimmed where that is safe, otherwise refused by name without a word of it.',
      },
      A12: {
        fault: 'This machine’s clock is wrong by minutes, hours or a day',
        outcome: 'RULE',
        note: 'Tokens: SAME, as lifetimes are measured and not compared with dates. Above an hour: an alert. Above a day: CLOSED.',
      },
      A13: {
        fault: 'A warm function finds the token of an earlier invocation expired',
        outcome: 'SAME',
        note: 'Every invocation reads its secrets and signs in anew.',
      },
      A14: {
        fault: 'The token is for another tenant or audience',
        outcome: 'PART',
        note: 'A 401 like every other, and no loop.',
      },
    },
  },
  {
    title: 'HTTP and transport',
    faults: {
      H1: {
        fault: 'Retry-After in seconds, as a date, zero, negative, no number, far ahead, missing, or again and again',
        outcome: 'RULE',
        note: 'Never asked before the server allows it; where the wait exceeds the time that is left, PART.',
      },
      H2: {
        fault: '429 at every page',
        outcome: 'PART',
        note: 'The number of requests is bounded, and the receipt has the rows received so far. All requests for one address wait together.',
      },
      H3: { fault: '500, 502, 503 or 504 for a while', outcome: 'SAME' },
      H4: { fault: '500, 502, 503 or 504 for ever', outcome: 'PART', note: 'The message says how long Muster waited.' },
      H5: {
        fault: '503 with and without Retry-After',
        outcome: 'SAME',
        note: 'Without it: waits that double, with jitter, up to a minute.',
      },
      H6: { fault: '400, 404, 405, 407, 410, 413, 415, 422', outcome: 'PART', note: 'Asked once.' },
      H7: {
        fault: 'Connection refused, unknown name, reset before the answer',
        outcome: 'RULE',
        note: 'Tried again: a reset for the whole patience, an address that is probably wrong for a minute. Then PART.',
      },
      H8: {
        fault: 'A reset at every byte of an answer',
        outcome: 'SAME',
        note: 'No part of an answer is ever counted.',
      },
      H9: { fault: 'Content-Length longer or shorter than the body', outcome: 'SAME' },
      H10: { fault: 'A chunked body without its end', outcome: 'SAME' },
      H11: {
        fault: 'An HTTP/1.0 body cut at a line end, which looks whole to HTTP',
        outcome: 'SAME',
        note: 'JSON must be whole, and an export’s archive must have its directory, size and CRC.',
      },
      H12: {
        fault: 'JSON cut at every byte',
        outcome: 'PART',
        note: 'Tried again, then `answer-unreadable`. Never a part of it.',
      },
      H13: { fault: 'A web page with status 200', outcome: 'PART', note: 'Nothing of the page is quoted.' },
      H14: {
        fault: 'JSON under another content type, behind a byte-order mark, in UTF-16, in Latin-1, in broken UTF-8',
        outcome: 'RULE',
        note: 'The content type is ignored and the mark dropped; everything that is no UTF-8 is PART, and never repaired.',
      },
      H15: {
        fault: 'Compressed bodies: damaged, cut, compressed twice, under an unknown encoding',
        outcome: 'SAME',
        note: 'Tried again; PART when it lasts.',
      },
      H16: { fault: 'A decompression bomb', outcome: 'PART', note: 'Bytes are counted after decompression.' },
      H17: { fault: 'An endless body; a header of a megabyte; ten thousand headers', outcome: 'PART' },
      H18: {
        fault: 'Silence before or within the answer; one byte at a time for ever',
        outcome: 'PART',
        note: 'Silence ends by the idle limit, a drip by the limit of a whole answer, which is five times as long.',
      },
      H19: {
        fault: 'TLS: self-signed, expired, another host’s certificate, only TLS 1.1',
        outcome: 'PART',
        note: 'No request is sent. Nothing in the source turns the check off.',
      },
      H20: { fault: 'A platform’s address without TLS', outcome: 'REFUSE', note: 'Allowed on this machine alone.' },
      H21: {
        fault: 'A redirect at the same origin',
        outcome: 'PART',
        note: 'Not followed; the message asks for the final address.',
      },
      H22: { fault: 'A redirect to another origin', outcome: 'PART', note: 'The other server receives no request.' },
      H23: { fault: 'A redirect in a circle, to http, to a file, to the metadata address of a cloud', outcome: 'PART' },
      H24: {
        fault: 'A proxy in the environment; a proxy that asks for a password',
        outcome: 'PART',
        note: 'Proxies are Node’s own (`NODE_USE_ENV_PROXY=1`); Muster reads none of their variables. 407 is a refusal.',
      },
      H25: { fault: 'The server closes an idle connection just when it is used again', outcome: 'SAME' },
      H26: {
        fault: 'HTTP/2 GOAWAY',
        outcome: 'SAME',
        untested: 'Muster speaks HTTP/1.1 to every server.',
      },
      H27: {
        fault: 'A JSON key twice, with two values',
        outcome: 'RULE',
        note: 'The last one counts, as in every JSON parser of the language. In the settings it is refused.',
      },
      H28: {
        fault: 'Numbers beyond what a number holds',
        outcome: 'RULE',
        note: 'Ids are text; a total that is no safe whole number is unreadable.',
      },
      H29: { fault: 'Keys and values such as `__proto__`, `constructor`, `toString`', outcome: 'SAME' },
      H30: { fault: 'JSON or XML nested 100,000 deep', outcome: 'RULE', note: 'A named error, or the right answer.' },
      H31: {
        fault: 'One field of megabytes, one row of ten thousand columns',
        outcome: 'RULE',
        note: 'Texts are cut at 1,024 characters; an id that long, and a row with more columns than its header, are refused.',
      },
    },
  },
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
        note: 'Such a walk proves nothing and is made again. A device twice beside all the others may also be counted once.',
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
        note: 'Tests have 4,000 devices (the deep ones 20,000) and tables of 100,000 rows; a million is measured (docs/dev/performance.md).',
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
  {
    title: 'Hostile names in every output',
    faults: {
      N1: {
        fault: 'CSV, read by other parsers',
        outcome: 'RULE',
        note: 'Rows, columns and values agree, but for the documented guard.',
      },
      N2: {
        fault: 'CSV in a spreadsheet',
        outcome: 'RULE',
        note: 'No cell begins as a formula does. A spreadsheet may still read 007 as a number: the workbook is the file for that.',
      },
      N3: {
        fault: 'CSV opened and saved by a spreadsheet',
        outcome: 'RULE',
        untested: 'What a spreadsheet writes is no file of Muster’s; the guard of N2 stays in the cell as text.',
      },
      N4: {
        fault: 'The workbook in a spreadsheet',
        outcome: 'RULE',
        note: 'Every value the same, no formula (LibreOffice, where it is installed).',
      },
      N5: {
        fault: 'The page in a browser, with and without its policy',
        outcome: 'RULE',
        note: 'Shown literally; nothing runs, nothing is requested. In Chromium.',
      },
      N6: { fault: 'Text that turns its direction', outcome: 'RULE', note: 'Isolated wherever it stands.' },
      N7: { fault: 'JSON documents', outcome: 'SAME', note: 'Read back exactly.' },
      N8: { fault: 'A Slack message', outcome: 'RULE', note: 'No mention, and no link but Muster’s own.' },
      N9: { fault: 'A Teams card', outcome: 'RULE', note: 'No Markdown, mention or link, by Microsoft’s own parser.' },
      N10: {
        fault: 'A mail',
        outcome: 'RULE',
        note: 'Each header once; no line break from a name. In its HTML nothing runs, is fetched or linked but the report.',
      },
      N11: { fault: 'An SNS subject', outcome: 'RULE', note: 'One line below 100 characters.' },
      N12: { fault: 'Log lines', outcome: 'RULE', note: 'One object a line, whatever a name holds.' },
      N13: { fault: 'Keys, file names and metric dimensions', outcome: 'RULE', note: 'Only names from the settings.' },
      N14: { fault: 'Counters and lists by name', outcome: 'SAME', note: 'Nobody is lost or taken for another.' },
      N15: { fault: 'Schemas of findings and events', outcome: 'RULE', note: 'Valid for every name.' },
      N16: {
        fault: 'CSV in a spreadsheet of another country, whose list separator is a semicolon or a tab',
        outcome: 'RULE',
        note: 'No cell begins as a formula there either.',
      },
    },
  },
  {
    title: 'Storage',
    faults: {
      S1: { fault: 'SlowDown, 500 or a cut connection at any one request', outcome: 'SAME' },
      S2: {
        fault: 'The same for ever at any one request',
        outcome: 'RULE',
        note: 'CLOSED before the commit; afterwards published with exit 3, and the next start finishes.',
      },
      S3: {
        fault: 'Access denied from any request on',
        outcome: 'RULE',
        note: 'As S2; the message names action, key and what to allow.',
      },
      S4: { fault: 'A write that was made, and its answer lost', outcome: 'SAME', note: 'Recognised as one’s own.' },
      S5: { fault: 'A write that was made, and answered 500', outcome: 'SAME' },
      S6: { fault: '409 once, three times, for ever', outcome: 'SAME', note: 'CLOSED when it lasts.' },
      S7: { fault: '412, because another run was first', outcome: 'RULE', note: 'Exit 4, nothing changed, no alert.' },
      S8: {
        fault: 'The log is gone, or the bucket was emptied',
        outcome: 'CLOSED',
        note: 'Never taken for a first run while anything is left that says otherwise.',
      },
      S9: {
        fault: 'A read that is cut or damaged on its way',
        outcome: 'SAME',
        note: 'Read again; CLOSED when it lasts.',
      },
      S10: {
        fault: 'A stored file was damaged',
        outcome: 'RULE',
        note: '`verify` names it. A damaged state closes the run; a damaged report is never copied.',
      },
      S11: {
        fault: 'An upload in parts fails at any part',
        outcome: 'SAME',
        note: 'Where it lasts, no part is left behind.',
      },
      S12: {
        fault: 'A store that ignores conditions',
        outcome: 'REFUSE',
        note: 'Found by the probe, before any platform is asked.',
      },
      S13: {
        fault: 'Another region, another owner’s bucket, a disabled key, a skewed clock',
        outcome: 'CLOSED',
        note: 'A clock that is an hour wrong is set right by the SDK: SAME.',
      },
      S14: {
        fault: 'Nothing may be removed or overwritten',
        outcome: 'PART',
        note: 'Runs go on; only what retention could not remove stays.',
      },
      S15: {
        fault:
          'A folder: full, read-only, forbidden, a file in its place, a dangling link, no hard links, a rename that does nothing',
        outcome: 'RULE',
        note: 'REFUSE where the probe sees it; otherwise as S2.',
      },
      S16: {
        fault: 'A folder: several processes at once, and what a dead one left',
        outcome: 'RULE',
        note: 'There is no lock to go stale: the log decides.',
      },
      S17: { fault: 'No state, on a first run', outcome: 'SAME', note: 'A baseline, and no flood.' },
      S18: { fault: 'No state, and a commit that names one', outcome: 'CLOSED' },
      S19: {
        fault: 'A state that is cut, empty, flipped, no gzip, no JSON, without its schema',
        outcome: 'CLOSED',
        note: 'Also where its hash was made to agree.',
      },
      S20: {
        fault: 'A state of an older or newer schema, or of none',
        outcome: 'CLOSED',
        note: 'Refused by name, and never overwritten.',
      },
      S21: {
        fault: 'A source’s name now means another platform',
        outcome: 'RULE',
        note: 'Another source, with a baseline of its own and no changes.',
      },
      S22: {
        fault: 'A very large state',
        outcome: 'SAME',
        note: 'Tests have 4,000 devices, the deep ones 20,000; more is measured (docs/dev/performance.md).',
      },
    },
  },
  {
    title: 'Attacks, each of which once succeeded',
    faults: {
      R1: {
        fault: 'A history made anew without signatures',
        outcome: 'CLOSED',
        note: 'The settings say from which number on commits are signed.',
      },
      R2: {
        fault: '`latest.json` set back, or the end of the log removed',
        outcome: 'RULE',
        note: 'SAME, as the log says which run is current; CLOSED where its end is gone.',
      },
      R3: { fault: 'A slot of several attempts is retracted', outcome: 'SAME', note: 'No damage is seen in it.' },
      R4: { fault: 'A run is retracted at the retention limit', outcome: 'SAME', note: 'No damage is seen in it.' },
      R5: { fault: 'A number that nothing signs; an old signed commit put at the end', outcome: 'CLOSED' },
      R7: { fault: 'A mail server whose name begins with 127.', outcome: 'RULE', note: 'Never in plain text.' },
      R9: { fault: 'A slot healed by a machine whose clock is another', outcome: 'SAME', note: 'Numbers decide.' },
      R10: { fault: 'A formula behind a semicolon or a tab in a CSV cell', outcome: 'RULE', note: 'As N16.' },
      R11: { fault: 'Settings with an alias within itself, or with a second document', outcome: 'REFUSE' },
      R12: { fault: 'A symbolic link in the folder of the store', outcome: 'REFUSE' },
      R13: { fault: 'A dated copy that no run made', outcome: 'RULE', note: '`verify` names it, whatever its date.' },
      R14: {
        fault: 'The winner of a race removes the loser’s files',
        outcome: 'RULE',
        note: 'Exit 4, as for any loser.',
      },
      R15: {
        fault: 'A name that reverses text in `muster alerts show`; channels whose names differ only in case',
        outcome: 'RULE',
        note: 'Without its controls; REFUSE.',
      },
      R16: { fault: 'Commits of another store, signed by the same key', outcome: 'CLOSED' },
      R21: {
        fault: 'While a run is under way, somebody without a key creates the next commit',
        outcome: 'CLOSED',
        note: 'At any request, or published before it: the run or the next one names it, and nothing is signed on it.',
      },
      R22: {
        fault: 'That commit lets all runs go',
        outcome: 'CLOSED',
        note: 'What is removed follows from a checked head alone.',
      },
      R23: { fault: 'That commit would be copied to the audit and sent', outcome: 'CLOSED', note: 'It is neither.' },
      R26: {
        fault: 'A run is let go, and the one that let it go is retracted',
        outcome: 'SAME',
        note: 'No false alarm.',
      },
      R27: {
        fault: 'The key that signs is not among the public keys for the next number',
        outcome: 'CLOSED',
        note: '`muster check` says so before, with the lines to add.',
      },
      R28: {
        fault: 'Certificates are not to be checked, and a command or a failing run would send something',
        outcome: 'REFUSE',
        note: 'Nothing is sent, no heartbeat either.',
      },
      R29: {
        fault: 'Readings of an attempt that nobody made',
        outcome: 'RULE',
        note: 'They only take proof away, and `verify` names the file; what is not understood or too much is ignored.',
      },
      R33: {
        fault:
          'A line in the file of public keys that is almost one (`From 43`, a comment behind it, a byte order mark)',
        outcome: 'REFUSE',
        note: 'By its number, with what is allowed.',
      },
      R34: { fault: '`verify` beside running runs', outcome: 'SAME', note: 'It looks again before it names damage.' },
    },
  },
  {
    title: 'Crashes, rivals and time',
    faults: {
      C1: {
        fault: 'Killed before or after any effect, then run again',
        outcome: 'SAME',
        note: 'A reader sees the run before or the new one, whole. At most one message twice, under one key.',
      },
      C2: { fault: 'Killed twice in a row', outcome: 'SAME' },
      C3: {
        fault: 'Real processes killed at real moments',
        outcome: 'SAME',
        note: 'Four in the suite, 200 in `npm run soak`.',
      },
      C4: {
        fault: 'SIGTERM, or the end of the time that Lambda gives',
        outcome: 'CLOSED',
        note: 'Says so before its time ends; where its commit is there, the next start finishes.',
      },
      C5: {
        fault: 'One event delivered twice: one after the other, at once, hours later',
        outcome: 'SAME',
        note: 'One publishes; no message again.',
      },
      C6: { fault: 'Started again right after a kill', outcome: 'SAME', note: 'There is no lease to wait for.' },
      C7: {
        fault: 'Several runs at once, in any order of their effects',
        outcome: 'RULE',
        note: 'One publishes, the others end with 4; nothing is lost.',
      },
      C8: { fault: 'Two machines with one schedule', outcome: 'RULE', note: 'As C7.' },
      C9: {
        fault: 'A run that was paused wakes after another has published',
        outcome: 'RULE',
        note: 'Its number is taken; copies and messages stay those of the newer run.',
      },
      C10: {
        fault: 'The clock is set during a run',
        outcome: 'SAME',
        note: 'Waits and limits are measured by a clock that nobody sets.',
      },
      C11: {
        fault: 'The clocks of machine and store differ',
        outcome: 'RULE',
        note: 'Above an hour an alert, above a day REFUSE.',
      },
      C12: { fault: 'Clocks that go forward and back, in several zones', outcome: 'RULE', note: 'One slot a date.' },
      C13: {
        fault: 'A schedule inside the hour that is skipped',
        outcome: 'RULE',
        note: 'That date has no slot; the deployment warns.',
      },
      C14: {
        fault: 'A run over midnight, the turn of the year, a leap day',
        outcome: 'SAME',
        note: 'The slot is the date of its scheduled moment.',
      },
      C15: { fault: 'Missed nights', outcome: 'RULE', note: 'Compared with the last good one.' },
      C16: { fault: 'Yesterday’s retry after today’s run', outcome: 'REFUSE', note: 'Exit 2, nothing changed.' },
      C17: { fault: 'Twice in one process, or in two', outcome: 'SAME' },
      C18: {
        fault: 'A promise nobody waits for is rejected',
        outcome: 'CLOSED',
        note: 'The process ends with an exit that is not 0; the heartbeat is not sent.',
      },
      C19: {
        fault: 'Killed for memory, or hung',
        outcome: 'RULE',
        note: 'Noticed from outside: the heartbeat began and did not end; an alarm rings where nothing was published.',
      },
      C20: { fault: 'Never started', outcome: 'RULE', note: 'The alarm rings also where there is no metric at all.' },
      C21: { fault: 'The heartbeat’s receiver is down', outcome: 'SAME', note: 'A warning without its address.' },
      C22: { fault: 'Every effect refused once', outcome: 'RULE', note: 'CLOSED or SAME, never anything else.' },
      C23: {
        fault: 'An attempt that is not published, since it is no more complete, reads a wrong instrument',
        outcome: 'RULE',
        note: 'What stands stays as it is. The reading is kept beside it, and the next run, wherever it runs, proves nothing that was taken before an instrument that is sound.',
      },
      C24: {
        fault: 'More devices than the heap has room for',
        outcome: 'CLOSED',
        note: 'Refused by name while they are read, with what is needed and the option to set; reported like any failure. A heap that other things fill is still ended by V8 (C19).',
      },
    },
  },
  {
    title: 'The count and the news',
    faults: {
      D1: {
        fault: 'Many devices are gone, or there are twice as many',
        outcome: 'RULE',
        note: 'Above the breaker’s share and number: suspect, one message. More devices trip nothing.',
      },
      D2: {
        fault: 'All devices change their status at once',
        outcome: 'RULE',
        note: 'Suspect, one message, and nothing is resolved.',
      },
      D3: { fault: 'Exactly at a threshold, one below, one above; fleets of none, one, two, ten', outcome: 'RULE' },
      D4: {
        fault: 'A device vanishes and comes back',
        outcome: 'RULE',
        note: 'Its since-when and history come back with it; what leaves the scope has not recovered.',
      },
      D5: { fault: 'A device that changes every night', outcome: 'RULE', note: 'One event, until it is calm.' },
      D6: { fault: 'A new device without the agent', outcome: 'RULE', note: 'One event, after the grace.' },
      D7: {
        fault: 'Without the agent for months',
        outcome: 'RULE',
        note: 'Overdue after the days in the settings, then a reminder a week.',
      },
      D8: {
        fault: 'A device moves to another source',
        outcome: 'RULE',
        note: 'One machine within one operating system; a Mac and a PC are two.',
      },
      D9: {
        fault: 'One source answers, another does not',
        outcome: 'PART',
        note: 'Only the one that answered resolves anything.',
      },
      D10: { fault: 'An exemption begins, ends, is mistyped, or fits nothing', outcome: 'RULE' },
      D11: {
        fault: 'What is measured changes',
        outcome: 'RULE',
        note: 'One event; values taken before count as unproven, and raise none.',
      },
      D12: {
        fault: 'Versions that compare wrongly as text',
        outcome: 'RULE',
        untested:
          'No rule compares versions: the agent is there or not. The version of the operating system is only shown.',
      },
      D13: {
        fault: 'A pattern in the settings that takes for ever',
        outcome: 'RULE',
        untested: 'No setting takes a pattern: words match exactly.',
      },
      D14: {
        fault: 'A status in another case, with other blanks, or with more behind it',
        outcome: 'RULE',
        note: 'Exact after trimming, and never a part of a word.',
      },
      D15: {
        fault: 'A rule that is wrong in a rare case',
        outcome: 'SAME',
        note: 'A slow and plain model judges the same random histories, cell by cell.',
      },
    },
  },
  {
    title: 'Delivery',
    faults: {
      L1: {
        fault: 'Every answer of every channel, from 200 with an error in its body to a reset',
        outcome: 'RULE',
        note: 'Taken, tried again or refused by name; no channel holds up another.',
      },
      L2: {
        fault: 'A message that was taken, and its answer lost',
        outcome: 'RULE',
        note: 'Sent again, under the same key.',
      },
      L3: {
        fault: 'A batch of which some entries are refused',
        outcome: 'RULE',
        note: 'Only those are sent again; those refused for ever are counted.',
      },
      L4: {
        fault: 'Messages at a receiver’s limit, and a byte above',
        outcome: 'RULE',
        note: 'Split, or cut between characters, and the numbers still add up.',
      },
      L5: {
        fault: 'None, one, ten, eleven, a hundred, a thousand lost devices',
        outcome: 'RULE',
        note: 'The first names, a count of the rest, a link.',
      },
      L6: {
        fault: 'A receiver that says yes and fails later (Teams workflows)',
        outcome: 'RULE',
        note: 'Nobody can see that from here; docs/alerts.md says so.',
        untested: 'The answer of a workflow that will fail is the answer of one that will not.',
      },
      L7: {
        fault: 'Every channel is down',
        outcome: 'PART',
        note: 'Exit 3; the next run sends first what was not delivered.',
      },
      L8: {
        fault: 'A channel with undelivered messages is removed from the settings',
        outcome: 'RULE',
        note: 'No run lists it any more, so that nothing is owed to it.',
      },
      L9: {
        fault: 'A receiver’s address that is no https address, or has a user',
        outcome: 'RULE',
        note: 'Refused before anything is sent, without showing it. An internal receiver is allowed: its owner wrote it down.',
      },
      L10: { fault: 'A receiver that redirects', outcome: 'RULE', note: 'Not followed.' },
      L11: { fault: 'A receiver that answers without end', outcome: 'RULE', note: 'Read up to 64 kB.' },
      L12: {
        fault: 'A webhook message that is forged or played again',
        outcome: 'RULE',
        note: 'The signature covers body and time; docs/alerts.md has the check.',
      },
      L13: {
        fault: 'Security Hub is off, in another region, or not subscribed',
        outcome: 'RULE',
        untested: 'Muster writes findings as files (OCSF) and does not call Security Hub.',
      },
    },
  },
  {
    title: 'Settings and supply',
    faults: {
      K1: {
        fault: 'Settings with unknown, missing, wrong or repeated entries, broken YAML, aliases without end, megabytes',
        outcome: 'REFUSE',
        note: 'Every problem at once, each with its path.',
      },
      K2: { fault: 'An address with a path, a user, or no host', outcome: 'REFUSE' },
      K3: { fault: 'A secret written into the settings', outcome: 'REFUSE', note: 'And not repeated.' },
      K4: { fault: 'A dry run', outcome: 'RULE', note: 'Writes nothing, sends nothing.' },
      K5: { fault: 'A process whose Object.prototype was changed', outcome: 'SAME' },
      K6: { fault: 'Certificates are not to be checked (NODE_TLS_REJECT_UNAUTHORIZED=0)', outcome: 'REFUSE' },
      K7: {
        fault: 'A dependency that is not what was locked',
        outcome: 'RULE',
        note: 'Every package is locked by its hash, which `npm ci` compares.',
      },
    },
  },
  {
    title: 'Lists of machines',
    faults: {
      M1: {
        fault: 'A list is older than its settings allow, or nobody knows its date',
        outcome: 'RULE',
        note: 'It is `stale`: it says nothing of any device, and why; the rest of the run is as without it.',
      },
      M2: {
        fault: 'A list has far fewer machines than the last sound one',
        outcome: 'RULE',
        note: 'It is `shrunk`, and stays so until it is whole again or a person accepts it.',
      },
      M3: {
        fault: 'A list is cut off, is not there, or lacks a column',
        outcome: 'RULE',
        note: 'It is `incomplete` or `unreadable`, and none of the file’s rows is used; no run fails.',
      },
      M4: {
        fault: 'A list names a machine twice, or a column stands twice',
        outcome: 'RULE',
        note: 'One machine: its first row, or the latest date. Two columns of one name make it `incomplete`.',
      },
      M5: {
        fault: 'A list is in another encoding, with other separators or other line ends',
        outcome: 'RULE',
        note: 'UTF-8 and UTF-16, commas, semicolons and tabs are read; every other encoding is `unreadable`.',
      },
      M6: {
        fault: 'A list with formulas, names of built-in fields, rows without end or millions of them',
        outcome: 'RULE',
        note: 'Cells are kept as they are written and made safe in each table; what is too large is `incomplete`.',
      },
    },
  },
];
