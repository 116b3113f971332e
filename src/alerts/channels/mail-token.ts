/**
 * A token with which an application signs in to a mail server (XOAUTH2), by OAuth's client credentials grant:
 * https://learn.microsoft.com/exchange/client-developer/legacy-protocols/how-to-authenticate-an-imap-pop-smtp-application-by-using-oauth
 */
import { omitUndefined } from '../../base/omit-undefined.ts';
import { HttpClient } from '../../http/client.ts';
import type { SignInContext } from '../../http/token.ts';
import { clouds, locateTokenEndpoint, toScope } from '../../microsoft/tenant.ts';
import type { ConnectionContext } from '../channel.ts';
import type { ChannelContext } from '../channel-kind.ts';

interface MailApplication {
  readonly from: string;
  readonly auth: {
    readonly tokenUrl?: string | undefined;
    readonly scope?: string | undefined;
    readonly clientId: string;
    readonly clientSecret: string;
  };
}

/** The token endpoint and scope. The sender's domain names the tenant, as Exchange Online requires a domain known to Entra. */
export function chooseTokenRequest({ from, auth }: MailApplication) {
  const domain = from.slice(from.indexOf('@') + 1);
  const { tokenUrl: endpoint = locateTokenEndpoint(clouds.global.endpoints.login, domain), scope } = auth;
  const { origin } = new URL(endpoint);
  const cloud = Object.values(clouds).find(({ endpoints }) => endpoints.login === origin) ?? clouds.global;
  return { endpoint, scope: scope ?? toScope(cloud.mail) };
}

export async function requestMailToken(
  settings: MailApplication,
  context: ChannelContext,
  connection: ConnectionContext,
): Promise<string> {
  const { createApplicationCredential } = await import('../../microsoft/sign-in.ts');
  const request = chooseTokenRequest(settings);
  const { origin } = new URL(request.endpoint);
  const signIn = await connectSignIn(`The sign-in for mail (${origin})`, origin, context, connection);
  const { clientId, clientSecret } = settings.auth;
  const auth = { clientId: context.secret(clientId), clientSecret: context.secret(clientSecret) };
  const credential = createApplicationCredential({ ...request, auth }, signIn);
  return (await credential.header()).slice('Bearer '.length);
}

/** Connects to Entra for the token of a mail channel; `who` names the connection in messages. */
export async function connectSignIn(
  who: string,
  origin: string,
  { idle }: Pick<ChannelContext, 'idle'>,
  { clock, signal, deadline }: ConnectionContext,
): Promise<SignInContext> {
  const { isSignInError } = await import('../../microsoft/sign-in.ts');
  const options = { who, origin, clock, signal, deadline, isOwnError: isSignInError };
  return { who, client: new HttpClient({ ...options, ...omitUndefined({ idle }) }), clock, signal };
}
