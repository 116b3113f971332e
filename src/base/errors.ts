/**
 * The one error class of Muster and the closed list of its codes, each with advice.
 *
 * A message says what we did, on what, what came back and what to do; the code is stable, so that people can look it up
 * (docs/commands.md, which is made from this list) and programs can switch on it. Neither ever contains a secret.
 */

import { defectSentence } from './version.ts';

export const errorCodes = {
  'settings-unreadable': 'Name the settings file with `--settings`, and check that it can be read.',
  'settings-invalid': 'Each line names a path in the file and what is wrong there.',
  'settings-changed':
    'The settings file is not the one that was deployed. Find out who changed it, and deploy yours again.',
  'command-line': 'The sentence says which word is wrong and which are right; see `--help`.',
  'slot-refused': 'A run of a later date is already published. Leave `--slot` out, or name the last scheduled date.',
  'clock-wrong':
    "This machine's clock and the clock of a platform or of the store are more than a day apart. Set the one that is wrong; take back a run that has a wrong date with `muster retract`.",
  'exemptions-unreadable':
    'Repair the exemptions file: the sentence says what is not understood, and in which lines. Muster does not run without it, since exempt devices would be counted.',
  'notes-unreadable':
    'Repair the notes file: `date,text`. The sentence says what is not understood, and in which lines.',
  'acknowledgements-unreadable':
    'Repair the acknowledgements file. Muster does not run without a file that the settings name.',
  'public-keys-missing':
    'The file that `publicKeys` names is not there or holds no key. `muster check` prints the lines to write into it.',
  'public-keys-unreadable':
    'A line of the file that `publicKeys` or `--public-key` names is not understood; the sentence says which, and what is allowed. Correct it.',
  'event-invalid':
    'Start the function with `scheduledTime`, or by hand with `slot`, `accept`, `retract`, `prune` or `verify`; the message names what is wrong.',
  'secret-unreadable':
    'AWS did not return the secret, or it has another form than expected. Check its name, its JSON key, and what the role may read.',
  'sign-in-refused':
    'Check that the client or account is enabled, that its secret is current, and that it belongs to this server or tenant.',
  'permission-missing': 'Grant the read permission that docs/connect.md names.',
  'licence-missing': 'The tenant has no active Microsoft Intune licence. Assign one, or correct `tenantId`.',
  'environment-refused':
    'The Jamf Platform gateway does not lead this client to the environment. Check `gateway.environmentId` (of a platform environment, not of a tenant), the integration in Jamf Account, and `gateway.region`.',
  'not-found': 'Check the address in the settings, and that the server is a supported version.',
  'request-refused':
    'The request is not supported by this server version, or the server rejected it for another reason. Check the version.',
  'request-failed':
    "The server could not be reached, failed or closed the connection for as long as `policy.patienceMinutes` allows. Check the network and the platform's status page, then run again.",
  'request-timed-out': 'The server timed out. It may be overloaded; run again.',
  throttled:
    'Muster was rate limited for longer than `policy.patienceMinutes` allows, or Retry-After is longer than that. Run later, or at other hours than other tools.',
  deadline: 'The platforms together took longer than a run may. The log shows which source was slow.',
  memory:
    'There are more devices than Node.js has memory to judge and report. The message says how much they need and the option to set.',
  'answer-too-large':
    'An answer was far larger than any expected one. Check that it comes from the platform and not from another server.',
  'answer-unreadable':
    'The answer is not what the platform documents, for example a sign-in page. Look for a proxy in between.',
  'intermediary-refused':
    'A proxy, firewall or gateway between Muster and the server refused the request; the sentence names it. Put a current user and password into the address in HTTPS_PROXY, name the server in NO_PROXY, or ask who runs it to let this machine through.',
  redirected: 'Put the final address in the settings; Muster does not follow redirects.',
  'foreign-link': 'The platform named a link to another server. Muster did not follow it; find out why it is there.',
  'attribute-missing': 'The attribute was deleted or renamed; the message says what it is called now.',
  'attribute-ambiguous': 'Two attributes have that name; rename one.',
  'app-missing': "The app was deleted; put the new app's id in the settings.",
  'app-ambiguous': 'Several apps have that name, and none of them is a Win32 app; use the id.',
  'rows-missing':
    "The platform counted more rows than it returned, or no two of its answers agreed. Run again; if it happens again, give the platform's support both numbers.",
  'paging-broken': "The platform's pages repeated themselves or did not end. Run again.",
  'site-scoped':
    'The account sees one site only, by its access level, its privileges or its groups; or, on a first run, nobody can tell, since the server did not describe it. Use another account or an API client, or set `site:`.',
  'export-failed':
    'Intune did not finish its report in the time of the run, or failed three times, and did not return the rows directly. Run again.',
  'zip-broken': 'A downloaded report arrived damaged. Run again.',
  'channel-refused':
    'A channel rejected a message; the sentence says which, and why. docs/alerts.md shows how to set up each; `muster alerts test` tries them.',
  'channel-unanswered':
    'The receiver did not say whether it has the message. The next run sends the same message again, under the same key.',
  'claims-exhausted':
    'Too many claims stand before one message of a channel. Find out who made them, and remove those that no Muster wrote; the sentence names the folder.',
  'store-unreachable':
    'The store cannot be read or written: the message names the file and the reason (space, permission, network).',
  'store-unsuited':
    "The store lacks what the promises need, such as hard links in a folder's file system; use another.",
  'log-damaged':
    'The log of commits has a gap, was cut off or changed, or is not signed. Nothing was published; docs/keeping.md shows how to restore it.',
  'store-damaged':
    'A published file is not what was published. `muster verify` names all of them; restore them from a backup.',
  'publication-contended':
    'Other runs were published first again and again, and this one was not. Let fewer runs begin at once, and start it again.',
  'publication-unknown':
    'The store did not answer whether the run is published. Start the run again: it finds out, and finishes it.',
  'store-newer': 'A newer Muster wrote this store. Run that version.',
  'store-older': 'A development version wrote this store. Name an empty store; nothing is migrated.',
  'signing-failed':
    'The key in `signing` did not sign, or `publicKeys` does not list it for this commit: the sentence says which and why. Nothing was published; correct the key, its permission or the file, and try with `muster check`.',
  'key-taken': 'Two attempts used one name, which should not happen; run again.',
  'not-suspect': 'Only the last published run can be accepted, and only while it is suspect or a list is shrunk.',
  'retract-refused': 'Only the last published run can be retracted, and only while the run before it is kept.',
  'night-unknown': 'No run of that date is kept.',
  stopped: 'Somebody stopped the run; nothing was published.',
  unexpected: `${defectSentence} The lines above say where.`,
} as const satisfies Readonly<Record<string, string>>;

export type ErrorCode = keyof typeof errorCodes;

/** Codes of reading a platform that may pass within minutes, without anybody's action. */
export const passingErrorCodes: ReadonlySet<ErrorCode> = new Set([
  'request-failed',
  'request-timed-out',
  'throttled',
  'answer-unreadable',
  'rows-missing',
  'paging-broken',
  'export-failed',
  'zip-broken',
]);

export class MusterError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, sentence: string, options?: { cause?: unknown }) {
    super(sentence, options);
    this.name = 'MusterError';
    this.code = code;
  }
}

/** The error itself when it is ours, otherwise ours around it, so that every failure has a code. */
export function toMusterError(error: unknown, doing: string): MusterError {
  if (error instanceof MusterError) {
    return error;
  }
  const said = error instanceof Error ? error.message : String(error);
  return new MusterError('unexpected', `${doing} failed: ${said}`, { cause: error });
}
