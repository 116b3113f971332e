/** Explains a mail server's refusal. Its own sentence may contain anything, so that only its numbers are shown. */
import { MusterError } from '../../base/errors.ts';
import { findProxyFailure, nameProxy } from '../../http/connection-failures.ts';
import { PassingFailure } from '../../http/failures.ts';

interface ServerFailure {
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly responseCode?: unknown;
  readonly response?: unknown;
}

export function toMailFailure(
  error: unknown,
  signedInBy: 'password' | 'token',
  proxy: URL | undefined,
): MusterError | PassingFailure {
  const proxyFailure = proxy && findProxyFailure(error, proxy);
  if (proxyFailure !== undefined) {
    const { sentence, advice, isRefusal } = proxyFailure;
    const refused = new MusterError('channel-refused', `The mail server was not reached, since ${sentence}. ${advice}`);
    return isRefusal ? refused : new PassingFailure(refused);
  }
  const failed: ServerFailure = typeof error === 'object' && error !== null ? error : {};
  const { code, responseCode } = failed;
  const failure =
    typeof responseCode === 'number'
      ? createRefusedError(responseCode, failed, signedInBy)
      : createUnacceptedError(failed, proxy);
  // Final: 5xx, and refusals of an account or a certificate. 4xx and broken connections may pass.
  const isFinal = (typeof responseCode === 'number' && responseCode >= 500) || code === 'EAUTH' || code === 'ETLS';
  return isFinal ? failure : new PassingFailure(failure);
}

function createRefusedError(
  responseCode: number,
  { code, response }: ServerFailure,
  signedInBy: 'password' | 'token',
): MusterError {
  const text = typeof response === 'string' ? response.slice(0, 1000) : '';
  const [, enhanced] = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(text) ?? [];
  const numbers = enhanced === undefined ? `SMTP ${responseCode}` : `SMTP ${responseCode} ${enhanced}`;
  const exchange = exchangeRefusals.find(({ pattern }) => pattern.test(text));
  const advice = exchange?.[signedInBy] ?? (code === 'EAUTH' ? signInAdvice[signedInBy] : usualAdvice);
  return new MusterError(
    'channel-refused',
    `The mail server rejected the ${code === 'EAUTH' ? 'sign-in' : 'message'} (${numbers}). ${advice}`,
  );
}

const usualAdvice = 'Check sender, recipients and account.';

const signInAdvice = {
  password: 'Check the account and its password.',
  token: 'Check that the application may send as this mailbox, and that scope and tokenUrl are the mail server’s.',
};

const withoutPassword =
  'Microsoft switches passwords for SMTP off by default from the end of December 2026; until it removes them, ' +
  'an administrator can allow them again. Use auth in place of password, or the channel graph-mail (docs/alerts.md).';

/**
 * Refusals of Exchange Online, the most particular first:
 * https://learn.microsoft.com/exchange/clients-and-mobile-in-exchange-online/authenticated-client-smtp-submission,
 * https://techcommunity.microsoft.com/blog/exchange/updated-exchange-online-smtp-auth-basic-authentication-deprecation-timeline/4489835
 */
const exchangeRefusals = [
  {
    pattern: /SmtpClientAuthentication is disabled/i,
    password:
      'Exchange Online says that SmtpClientAuthentication is disabled for the mailbox or the tenant. ' +
      withoutPassword,
    token:
      'Exchange Online says that SmtpClientAuthentication is disabled for the mailbox or the tenant: enable it for the mailbox ' +
      '(Set-CASMailbox -SmtpClientAuthenticationDisabled $false), or use the channel graph-mail, which needs no SMTP.',
  },
  {
    pattern: /credentials were incorrect/i,
    ...signInAdvice,
  },
  {
    pattern: /basic authentication is (?:disabled|not supported)/i,
    password: `Exchange Online accepts no password for SMTP in this tenant. ${withoutPassword}`,
    token: signInAdvice.token,
  },
  {
    pattern: /\b5\.7\.139\b/,
    password: `A policy of the tenant blocks the sign-in (Entra’s sign-in logs name it). ${withoutPassword}`,
    token: 'A policy of the tenant blocks the sign-in: look for it in Entra’s sign-in logs.',
  },
  {
    pattern: /SendAsDenied|\b5\.7\.60\b/i,
    password: 'Exchange Online does not let the account send as this sender: give it Send As for the mailbox.',
    token: 'Exchange Online does not let the application send as this sender: give it the mailbox (docs/alerts.md).',
  },
] as const;

function createUnacceptedError({ code, syscall }: ServerFailure, proxy: URL | undefined): MusterError {
  const isReached = syscall !== 'connect' && code !== 'EDNS' && code !== 'ETLS';
  const word = typeof code === 'string' && /^E[A-Z]{2,20}$/.test(code) ? code : 'no reason given';
  return new MusterError(
    isReached ? 'channel-unanswered' : 'channel-refused',
    `The mail server did not accept the message${nameProxy(proxy)} (${word}). Check its name, its port and its certificate.`,
  );
}
