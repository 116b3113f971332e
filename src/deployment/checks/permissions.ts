/** Checks that the account in the policy's parameters, and Muster's own access, can only read: docs/coverage.md, section 5. */
import type { Finding } from '../../core/facts.ts';
import type { CheckId } from '../catalogue.ts';
import { scriptParameters } from '../definition.ts';
import type { AttestationId, DeploymentSettings } from '../deployment-settings.ts';
import {
  fail,
  type LookupResult,
  pass,
  quoteText,
  type ReadFailure,
  reportNotAttested,
  reportNotChecked,
  reportUnknown,
} from '../finding.ts';
import { judgeAttestation } from './attestation.ts';
import { findPolicyParameter, type PolicyFacts } from './policy.ts';
import type { SlotTime } from './statement.ts';

const mostNamed = 3;

/** The account with which Muster signed in to Jamf Pro, as the server describes it; an API client may have none. */
export interface JamfAccount {
  readonly username: string | undefined;
  /** As Jamf Pro calls them; undefined where the server does not list them. */
  readonly privileges: readonly string[] | undefined;
}

/**
 * The account that the policy hands to its script. Its privileges can be read only where Muster signs in with the same
 * account; otherwise a person vouches for it.
 */
export function checkPolicyAccount(
  settings: DeploymentSettings,
  policy: LookupResult<PolicyFacts>,
  account: JamfAccount | ReadFailure,
  at: SlotTime,
): Finding {
  const check = 'macos.account-read-only';
  if (settings.identity !== 'email') {
    return reportNotChecked(check, 'deployment.identity: email');
  }
  const user = policy.is === 'one' ? findPolicyParameter(settings, policy.value, userParameter) : undefined;
  const own = 'is' in account ? undefined : account;
  if (own?.privileges !== undefined && user !== undefined && own.username?.toLowerCase() === user.toLowerCase()) {
    return judgePrivileges(check, own.privileges, 'the account that Muster uses too; ');
  }
  return judgeVouched(
    check,
    'account-read-only',
    settings,
    at,
    'Check on the server that the account in parameter 4 of the policy can only read',
  );
}

/** Parameter 4, mdmUser. */
const [{ number: userParameter }] = scriptParameters;

/** Muster's own account or API client. */
export function checkAccess(settings: DeploymentSettings, account: JamfAccount | ReadFailure, at: SlotTime): Finding {
  const check = 'macos.permissions-read-only';
  if ('is' in account) {
    return reportUnknown(check, account);
  }
  if (account.privileges !== undefined) {
    return judgePrivileges(check, account.privileges, '');
  }
  const todo =
    'The server does not say what an API client may do. Check that its API role has only "Read …" privileges';
  return judgeVouched(check, 'api-client-read-only', settings, at, todo);
}

function judgeVouched(
  check: CheckId,
  id: AttestationId,
  settings: DeploymentSettings,
  at: SlotTime,
  todo: string,
): Finding {
  const words = judgeAttestation({ on: settings.attested[id], at });
  const advice = `${todo}, then set deployment.attested.${id}.`;
  switch (words.is) {
    case 'valid':
      return pass(check, words.found);
    case 'expired':
      return fail(check, words.found, advice);
    case 'none':
      return reportNotAttested(check, advice);
  }
}

function judgePrivileges(check: CheckId, privileges: readonly string[], whose: string): Finding {
  const beyond = privileges.filter((privilege) => !/^(Read|View) /.test(privilege) || keyPrivileges.test(privilege));
  if (beyond.length === 0) {
    return pass(check, `${whose}${privileges.length} privileges, all read-only`);
  }
  return fail(
    check,
    `${whose}it may also: ${formatNames(beyond)}`,
    'Remove every privilege that does not begin with "Read".',
  );
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
