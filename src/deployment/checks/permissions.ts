/** Checks that Muster's own access to the two platforms is read-only: docs/coverage.md, section 5. */
import type { Finding } from '../../core/facts.ts';
import { fail, pass, quoteText, type ReadFailure, reportUnknown } from '../finding.ts';
import { type Attestation, judgeAttestation } from './attestation.ts';

const mostNamed = 3;

/** Privileges as Jamf Pro calls them; undefined where the server does not say, as with an API client. */
export function checkAccount(privileges: readonly string[] | undefined | ReadFailure, attested: Attestation): Finding {
  const check = 'macos.account-read-only';
  if (privileges === undefined) {
    const words = judgeAttestation(attested);
    if (words.is === 'valid') {
      return pass(check, words.found);
    }
    const advice =
      'Check that the API role has only "Read …" privileges, then set deployment.attested.account-read-only.';
    if (words.is === 'expired') {
      return fail(check, words.found, advice);
    }
    return reportUnknown(check, { why: 'the server does not say what this API client may do', advice });
  }
  if ('is' in privileges) {
    return reportUnknown(check, privileges);
  }
  const beyond = privileges.filter((privilege) => !/^(Read|View) /.test(privilege) || keyPrivileges.test(privilege));
  if (beyond.length === 0) {
    return pass(check, `${privileges.length} privileges, all read-only`);
  }
  return fail(check, `it may also: ${formatNames(beyond)}`, 'Remove every privilege that does not begin with "Read".');
}

/** These only read, but what they read unlocks a computer. */
const keyPrivileges = /Recovery|Bypass Code|Password/;

/** Application permissions as the token lists them. */
export function checkPermissions(roles: readonly string[] | ReadFailure): Finding {
  const check = 'windows.permissions-read-only';
  if ('is' in roles) {
    return reportUnknown(check, roles);
  }
  const beyond = roles.filter((role) => !/\.Read(\.All)?$/.test(role));
  if (beyond.length === 0) {
    return pass(check, `${roles.length} permissions, all read-only`);
  }
  return fail(
    check,
    `it may also: ${formatNames(beyond)}`,
    'Remove every permission that does not end with .Read.All.',
  );
}

function formatNames(words: readonly string[]): string {
  const first = words.toSorted().slice(0, mostNamed).map(quoteText).join(', ');
  return words.length > mostNamed ? `${first} and ${words.length - mostNamed} more` : first;
}
