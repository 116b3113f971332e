/**
 * What a run asks of AWS besides S3: Secrets Manager, Parameter Store and STS, signed requests only. The tokens that
 * STS gives are really signed, and the account's issuer tells everybody with which key, as the real one does.
 */
import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { listen } from '../http/loopback.ts';

interface Call {
  readonly service: string;
  readonly action: string;
  /** What it was asked for: a secret's name, a parameter's, or an audience. */
  readonly of: string;
}

export interface AwsPeer {
  readonly url: string;
  /** What a process needs to sign and find its way here. */
  readonly environment: Readonly<Record<string, string>>;
  /** By name or ARN; a test may change them at any time. */
  readonly secrets: Map<string, string | Uint8Array>;
  readonly parameters: Map<string, string>;
  readonly calls: Call[];
  readonly role: string;
  /** Every call is refused by this name while it is set. */
  refusal: string | undefined;
  close(): Promise<void>;
}

/** A role's, for a session. */
export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

const ownCredentials: Credentials = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'canary-aws-secret-access-key',
  sessionToken: 'canary-aws-session-token',
};

interface Refusal {
  readonly status: number;
  readonly name: string;
}

const region = 'eu-west-1';

export async function startAws(credentials: Credentials = ownCredentials): Promise<AwsPeer> {
  const { privateKey, publicKey } = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'RSA_0', alg: 'RS256', use: 'sig' };
  const server = createServer(async (request, response) => {
    const { status, type, body } = await answer(request, peer, { privateKey, jwk, credentials });
    response.writeHead(status, { 'content-type': type, 'x-amzn-requestid': 'request-1' }).end(body);
  });
  const { origin: url, close } = await listen(server);
  const peer: AwsPeer = {
    url,
    environment: {
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      ...(credentials.sessionToken === undefined ? {} : { AWS_SESSION_TOKEN: credentials.sessionToken }),
      AWS_ENDPOINT_URL_SECRETS_MANAGER: url,
      AWS_ENDPOINT_URL_SSM: url,
      AWS_ENDPOINT_URL_STS: url,
    },
    secrets: new Map(),
    parameters: new Map(),
    calls: [],
    role: 'arn:aws:iam::123456789012:role/muster',
    refusal: undefined,
    close,
  };
  return peer;
}

interface Account {
  readonly credentials: Credentials;
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

interface Reply {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

async function answer(request: IncomingMessage, peer: AwsPeer, account: Account): Promise<Reply> {
  const path = request.url ?? '/';
  if (path === '/.well-known/openid-configuration') {
    return json({ issuer: peer.url, jwks_uri: `${peer.url}/jwks`, id_token_signing_alg_values_supported: ['RS256'] });
  }
  if (path === '/jwks') {
    return json({ keys: [account.jwk] });
  }
  const body = await text(request);
  const [service = '', action = ''] = String(request.headers['x-amz-target'] ?? '').split('.');
  if (service === '') {
    return sts(request, new URLSearchParams(body), peer, account, body);
  }
  const refused = signatureProblem(request, body, service === 'AmazonSSM' ? 'ssm' : 'secretsmanager', account);
  const input = JSON.parse(body) as Readonly<Record<string, unknown>>;
  peer.calls.push({ service, action, of: String(input.SecretId ?? input.Name) });
  if (refused ?? peer.refusal) {
    return refusal({ status: 400, name: refused ?? peer.refusal ?? '' });
  }
  if (`${service}.${action}` === 'secretsmanager.GetSecretValue') {
    return secret(input, peer);
  }
  if (`${service}.${action}` === 'AmazonSSM.GetParameter') {
    return parameter(input, peer);
  }
  return refusal({ status: 400, name: 'UnknownOperationException' });
}

function secret(input: Readonly<Record<string, unknown>>, peer: AwsPeer): Reply {
  const kept = peer.secrets.get(String(input.SecretId));
  if (kept === undefined || input.VersionStage !== 'AWSCURRENT') {
    return refusal({ status: 400, name: 'ResourceNotFoundException' });
  }
  const value =
    typeof kept === 'string' ? { SecretString: kept } : { SecretBinary: Buffer.from(kept).toString('base64') };
  return json({ Name: input.SecretId, VersionStages: ['AWSCURRENT'], ...value });
}

function parameter(input: Readonly<Record<string, unknown>>, peer: AwsPeer): Reply {
  const kept = peer.parameters.get(String(input.Name));
  if (kept === undefined) {
    return refusal({ status: 400, name: 'ParameterNotFound' });
  }
  // Without decryption the real one hands out the ciphertext.
  const value = input.WithDecryption === true ? kept : 'AQICAHh-ciphertext';
  return json({ Parameter: { Name: input.Name, Type: 'SecureString', Value: value, Version: 1 } });
}

async function sts(
  request: IncomingMessage,
  form: URLSearchParams,
  peer: AwsPeer,
  account: Account,
  body: string,
): Promise<Reply> {
  const audience = form.get('Audience.member.1') ?? '';
  const seconds = Number(form.get('DurationSeconds') ?? 300);
  peer.calls.push({ service: 'sts', action: form.get('Action') ?? '', of: audience });
  const refused = signatureProblem(request, body, 'sts', account) ?? peer.refusal;
  if (refused !== undefined) {
    return xmlRefusal(refused);
  }
  if (form.get('Action') !== 'GetWebIdentityToken' || audience === '' || form.get('SigningAlgorithm') !== 'RS256') {
    return xmlRefusal('ValidationError');
  }
  if (!(seconds >= 60 && seconds <= 3600)) {
    return xmlRefusal('ValidationError');
  }
  const token = await new SignJWT({ 'https://sts.amazonaws.com/': { aws_account: '123456789012' } })
    .setProtectedHeader({ alg: 'RS256', kid: 'RSA_0', typ: 'JWT' })
    .setIssuer(peer.url)
    .setSubject(peer.role)
    .setAudience(audience)
    .setIssuedAt()
    .setExpirationTime(`${seconds}s`)
    .setJti(`token-${peer.calls.length}`)
    .sign(account.privateKey);
  const expires = new Date(Date.now() + seconds * 1000).toISOString();
  return {
    status: 200,
    type: 'text/xml',
    body: `<GetWebIdentityTokenResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><GetWebIdentityTokenResult><WebIdentityToken>${token}</WebIdentityToken><Expiration>${expires}</Expiration></GetWebIdentityTokenResult><ResponseMetadata><RequestId>request-1</RequestId></ResponseMetadata></GetWebIdentityTokenResponse>`,
  };
}

function json(body: unknown): Reply {
  return { status: 200, type: 'application/x-amz-json-1.1', body: JSON.stringify(body) };
}

/** The sentences name what no log should hold, as AWS's own do. */
function refusal({ status, name }: Refusal): Reply {
  const body = { __type: name, message: 'canary: User arn:aws:sts::123456789012:assumed-role/muster may not do this' };
  return { status, type: 'application/x-amz-json-1.1', body: JSON.stringify(body) };
}

function xmlRefusal(name: string): Reply {
  const body = `<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><Error><Type>Sender</Type><Code>${name}</Code><Message>canary: not for you</Message></Error><RequestId>request-1</RequestId></ErrorResponse>`;
  return { status: 403, type: 'text/xml', body };
}

/** Signature version 4 over a POST to `/` without a query, which is all that these services are sent. */
function signatureProblem(
  request: IncomingMessage,
  body: string,
  service: string,
  { credentials }: Account,
): string | undefined {
  const pattern = /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/;
  const [, scope = '', names = '', signature] = pattern.exec(request.headers.authorization ?? '') ?? [];
  const [id, day = '', ...rest] = scope.split('/');
  if (id !== credentials.accessKeyId || rest.join('/') !== `${region}/${service}/aws4_request`) {
    return 'UnrecognizedClientException';
  }
  if (request.headers['x-amz-security-token'] !== credentials.sessionToken) {
    return 'UnrecognizedClientException';
  }
  const headers = names.split(';').map((name) => `${name}:${String(request.headers[name]).trim()}\n`);
  const canonical = [request.method, '/', '', headers.join(''), names, sha256(body)].join('\n');
  const date = String(request.headers['x-amz-date']);
  const toSign = ['AWS4-HMAC-SHA256', date, [day, ...rest].join('/'), sha256(canonical)].join('\n');
  const key = [day, ...rest].reduce<Buffer>(hmac, Buffer.from(`AWS4${credentials.secretAccessKey}`));
  return hmac(key, toSign).toString('hex') === signature ? undefined : 'InvalidSignatureException';
}

function sha256(content: string): string {
  return createHash('sha256').update(content).digest('hex');
}

function hmac(key: Buffer, content: string): Buffer {
  return createHmac('sha256', key).update(content).digest();
}
