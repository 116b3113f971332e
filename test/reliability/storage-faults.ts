/** Faults of hostile names, of storage, and attacks. */
import type { FaultArea } from './fault.ts';

export const storageFaults: readonly FaultArea[] = [
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
        note: 'Tests have 4,000 devices, the deep ones 20,000; more is measured (docs/dev/large-companies.md).',
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
];
