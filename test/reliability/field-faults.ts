/** Faults that people reported where they run it, each under the number of its report. */
import type { FaultArea } from './fault.ts';

export const fieldFaults: readonly FaultArea[] = [
  {
    title: 'Where people run it: what came out wrong',
    faults: {
      W1: {
        fault: 'The process of `muster schedule` sleeps, is paused or is busy when a start comes due',
        outcome: 'RULE',
        note: 'It starts when the process wakes: the newest slot once, the others are named. A run does the work of healings that were due before it ended.',
      },
      W2: {
        fault: 'The only way out is a company’s proxy, which asks for a password, refuses or is not there',
        outcome: 'SAME',
        note: 'Platforms, store, channels, mail and heartbeat go through it. One that fails is named, and no server is blamed: PART, or CLOSED where the store is behind it.',
      },
      W3: {
        fault: 'Jamf Pro in a context path, `https://server/context`',
        outcome: 'SAME',
        note: 'API, Classic, downloads and device links are there; what the server names outside of it gets no credentials.',
      },
      W4: {
        fault: 'A Node.js that is older than the one that Muster needs',
        outcome: 'REFUSE',
        note: 'Before anything else is loaded, with both versions. The oldest one that is named is installed and runs the demo.',
      },
    },
  },
  {
    title: 'Where people run it: what misled them',
    faults: {
      M1: {
        fault: 'A start in the hour that clocks skip',
        outcome: 'RULE',
        note: 'The run of that date starts at the next moment that exists, on AWS with the first healing start; without one the deployment refuses. `check`, `init`, `schedule` and the deployment say the date.',
      },
      M2: {
        fault:
          'Exemptions, acknowledgements and notes as a spreadsheet saves them: separators, encodings, capitals in the header, more columns, dates of the country',
        outcome: 'SAME',
        note: 'A row that is not understood is ignored and named by its line. A file is refused, and the run with it, where more than ten rows and more than half are not understood, or the file cannot be read.',
      },
      M3: { fault: 'Rows that were emptied in a spreadsheet (`,,,,,`)', outcome: 'SAME', note: 'They are no rows.' },
      M4: {
        fault:
          'Intune’s overview counts records that were overwritten, or the list ends early without a link to the rest',
        outcome: 'RULE',
        note: '`suspect`, with both causes: nothing tells them apart. A person who accepts it once settles it: that share of the overview is the usual one from then on.',
      },
      M5: {
        fault: 'A device stands twice in every reading of the list',
        outcome: 'RULE',
        note: 'Equal rows are one device and a finding (`devices.repeated`), unless they stand in the place of a device that is known to be there. Different rows: PART.',
      },
      M6: {
        fault: 'A firewall’s own page or words in place of an answer, with 401, 403 or another status',
        outcome: 'PART',
        note: 'The sentence says that something in front of the platform answered, and which; nothing is said of the account.',
      },
      M7: {
        fault:
          'Entra refuses a sign-in: a secret has expired, a certificate or a tenant is unknown, an application is disabled, or a policy forbids it',
        outcome: 'PART',
        note: 'Each refusal has its own advice, by the code that Microsoft documents.',
      },
      M8: {
        fault: 'Exchange Online accepts no password for SMTP any more',
        outcome: 'RULE',
        note: 'Refused by name, with what Microsoft says about it. Mail goes with a token (XOAUTH2) or through Graph, as an application that reads nothing.',
      },
      M9: {
        fault: 'Jamf Pro writes a character that XML forbids, in the name of any object',
        outcome: 'SAME',
        note: 'It is read as U+FFFD.',
      },
      M10: {
        fault: 'A workflow of Teams that is switched off, deleted, or for users of the tenant alone',
        outcome: 'RULE',
        note: 'Its own word is shown, with what to do.',
      },
      M11: {
        fault: 'A smart group belongs to one site, and so holds Macs of that site alone',
        outcome: 'RULE',
        note: 'Its check fails and names the site; its members are compared with nobody.',
      },
      M12: {
        fault: 'A source whose answer is whole, and in which nobody has the agent',
        outcome: 'RULE',
        note: 'A finding says so (`devices.none-installed`), and an alert: the first time, and after somebody has had it.',
      },
    },
  },
];
