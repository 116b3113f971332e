/**
 * Requests a token from AWS that identifies this workload to other clouds. The account's own issuer signs it, so that
 * no secret is stored. https://docs.aws.amazon.com/STS/latest/APIReference/API_GetWebIdentityToken.html
 */
import { MusterError } from '../base/errors.ts';
import { buildAwsClientOptions, toSafeErrorName } from './client.ts';

/** The shortest lifetime that covers a slow sign-in with its retries. */
const tokenSeconds = 300;

export async function requestWebIdentityToken(audience: string): Promise<string> {
  const { GetWebIdentityTokenCommand, STSClient } = await import('@aws-sdk/client-sts');
  // Only regional endpoints support this call.
  const client = new STSClient(buildAwsClientOptions());
  try {
    const wanted = { Audience: [audience], SigningAlgorithm: 'RS256', DurationSeconds: tokenSeconds };
    const { WebIdentityToken: token } = await client.send(new GetWebIdentityTokenCommand(wanted));
    if (token) {
      return token;
    }
  } catch (error) {
    throw createWebIdentityError(toSafeErrorName(error));
  }
  throw createWebIdentityError('an answer without a token');
}

function createWebIdentityError(name: string): MusterError {
  if (/^AccessDenied/.test(name)) {
    return new MusterError(
      'permission-missing',
      `AWS STS refused a web identity token (${name}). The role needs sts:GetWebIdentityToken.`,
    );
  }
  const advice = name.startsWith('OutboundWebIdentityFederationDisabled')
    ? 'Enable it once for the account: aws iam enable-outbound-web-identity-federation.'
    : 'With federated: aws only the role that Entra knows signs in, on AWS. Check that the function runs with that role, in a region whose STS endpoint it can reach.';
  return new MusterError('sign-in-refused', `AWS STS returned no web identity token (${name}). ${advice}`);
}
