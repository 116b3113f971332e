/** Faults of runs: crashes, rivals, the count and its news, delivery, settings and lists. */
import type { FaultArea } from './fault.ts';

export const runFaults: readonly FaultArea[] = [
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
        note: 'The run of that date starts at the next moment that exists (M1).',
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
        note: 'The signature covers body and time; docs/events.md has the check.',
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
      K2: {
        fault: 'An address with a path that its server cannot have, with a user, or without a host',
        outcome: 'REFUSE',
      },
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
      E1: {
        fault: 'A list is older than its settings allow, or nobody knows its date',
        outcome: 'RULE',
        note: 'It is `stale`: it says nothing of any device, and why; the rest of the run is as without it.',
      },
      E2: {
        fault: 'A list has far fewer machines than the last sound one',
        outcome: 'RULE',
        note: 'It is `shrunk`, and stays so until it is whole again or a person accepts it.',
      },
      E3: {
        fault: 'A list is cut off, is not there, or lacks a column',
        outcome: 'RULE',
        note: 'It is `incomplete` or `unreadable`, and none of the file’s rows is used; no run fails.',
      },
      E4: {
        fault: 'A list names a machine twice, or a column stands twice',
        outcome: 'RULE',
        note: 'One machine: its first row, or the latest date. Two columns of one name make it `incomplete`.',
      },
      E5: {
        fault: 'A list is in another encoding, with other separators or other line ends',
        outcome: 'RULE',
        note: 'UTF-8, UTF-16 and Windows-1252, commas, semicolons and tabs are read; what is no text in any of them is `unreadable`.',
      },
      E6: {
        fault: 'A list with formulas, names of built-in fields, rows without end or millions of them',
        outcome: 'RULE',
        note: 'Cells are kept as they are written and made safe in each table; what is too large is `incomplete`.',
      },
    },
  },
];
