/** Secrets kept in AWS: asked for once, once more when refused, understood in every shape that people store, never shown. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MusterError } from '../../src/base/errors.ts';
import { createSecretReader } from '../../src/compose/secrets.ts';
import { type AwsPeer, startAws } from '../peers/aws.ts';

let aws: AwsPeer;

beforeEach(async () => {
  aws = await startAws();
  for (const [name, value] of Object.entries(aws.environment)) {
    vi.stubEnv(name, value);
  }
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await aws.close();
});

async function failure(promise: Promise<string>): Promise<MusterError> {
  const error: unknown = await promise.catch((reason: unknown) => reason);
  if (error instanceof MusterError) {
    return error;
  }
  throw new Error(`not refused: ${String(error)}`);
}

test('a secret is asked for once, whoever and however many want it', async () => {
  aws.secrets.set('muster/jamf', JSON.stringify({ clientId: 'id', clientSecret: 'first' }));
  const secret = createSecretReader({});
  const read = (key: string) => secret(`aws-secret:muster/jamf#${key}`)(false);
  expect(await Promise.all([read('clientId'), read('clientSecret'), read('clientSecret')])).toEqual([
    'id',
    'first',
    'first',
  ]);
  expect(aws.calls).toEqual([{ service: 'secretsmanager', action: 'GetSecretValue', of: 'muster/jamf' }]);
});

test('after a rotation it is asked for once more, and never again by the same run [A10]', async () => {
  aws.secrets.set('muster/jamf', JSON.stringify({ id: 'one', secret: 'one' }));
  const secret = createSecretReader({});
  await secret('aws-secret:muster/jamf#secret')(false);
  aws.secrets.set('muster/jamf', JSON.stringify({ id: 'two', secret: 'two' }));
  expect(await secret('aws-secret:muster/jamf#secret')(false)).toBe('one');
  const again = ['id', 'secret', 'secret'].map((key) => secret(`aws-secret:muster/jamf#${key}`)(true));
  expect(await Promise.all(again)).toEqual(['two', 'two', 'two']);
  expect(await secret('aws-secret:muster/jamf#secret')(false)).toBe('two');
  expect(aws.calls).toHaveLength(2);
});

test('a parameter is decrypted, and kept apart from a secret of the same name', async () => {
  aws.parameters.set('/muster/graph', 'canary-parameter');
  aws.secrets.set('/muster/graph', 'canary-secret');
  const secret = createSecretReader({});
  expect(await secret('aws-ssm:/muster/graph')(false)).toBe('canary-parameter');
  expect(await secret('aws-secret:/muster/graph')(false)).toBe('canary-secret');
});

test('a secret named by its ARN is asked for in its own region', async () => {
  const arn = 'arn:aws:secretsmanager:us-east-2:123456789012:secret:muster/jamf-AbCdEf';
  aws.secrets.set(arn, 'text');
  // The peer is at home in another region, so that it sees a signature that is not for it.
  expect((await failure(createSecretReader({})(`aws-secret:${arn}`)(false))).message).toContain(
    'UnrecognizedClientException',
  );
  expect(aws.calls).toMatchObject([{ of: arn }]);
});

const bytes = (text: string) => new TextEncoder().encode(text);

test.each<[string, string | Uint8Array, string, string]>([
  ['a line break behind', 'canary\n', '', 'canary'],
  ['a byte order mark in front', '\uFEFFcanary\r\n', '', 'canary'],
  ['bytes', bytes('\uFEFFcanary\n'), '', 'canary'],
  ['JSON in bytes', bytes('{"key":"canary"}'), '#key', 'canary'],
  ['JSON behind a byte order mark', '\uFEFF{"key":" canary\\n"}\n', '#key', 'canary'],
  ['a certificate with its line breaks', '{"pem":"-----A\\n-----B\\n"}', '#pem', '-----A\n-----B'],
  ['a text that only begins like JSON', '{canary', '', '{canary'],
])('is understood: %s [A11]', async (_shape, kept, key, value) => {
  aws.secrets.set('muster/x', kept);
  expect(await createSecretReader({})(`aws-secret:muster/x${key}`)(false)).toBe(value);
});

test.each<[string, string | Uint8Array, string, string]>([
  ['nothing', '', '', 'is empty'],
  ['white space', ' \n', '', 'is empty'],
  ['bytes that are no text', Uint8Array.of(0xff, 0xfe, 0x00, 0x80), '', 'bytes that are not text'],
  ['a JSON object whose key is not named', '{"key":"canary"}', '', 'name the key'],
  ['another key', '{"key":"canary"}', '#other', 'no text under the key "other"'],
  ['what every object has', '{"key":"canary"}', '#constructor', 'no text under the key "constructor"'],
  ['a number', '{"key":42}', '#key', 'no text under the key'],
  ['an empty value', '{"key":" "}', '#key', 'is empty under the key'],
  ['plain text where JSON is meant', 'canary', '#key', 'no JSON object'],
  ['broken JSON', '{"key":"canary', '#key', 'no JSON object'],
])('is refused by name, without a word of it: %s [A11]', async (_shape, kept, key, why) => {
  aws.secrets.set('muster/x', kept);
  const error = await failure(createSecretReader({})(`aws-secret:muster/x${key}`)(false));
  expect(error.code).toBe('secret-unreadable');
  expect(error.message).toContain('aws-secret:muster/x');
  expect(error.message).toContain(why);
  expect(error.message).not.toContain('canary');
});

test.each(['AccessDeniedException', 'DecryptionFailure', 'InvalidRequestException'])(
  'says by AWS’s own name that it was refused, and nothing else: %s',
  async (name) => {
    aws.refusal = name;
    const error = await failure(createSecretReader({})('aws-secret:muster/x')(false));
    expect(error).toMatchObject({ code: 'secret-unreadable', message: expect.stringContaining(name) });
    expect(`${error.message} ${JSON.stringify(error)} ${String(error.cause)}`).not.toContain('canary');
    expect(error.message).toContain('secretsmanager:GetSecretValue');
  },
);

test('an unknown parameter is named, and a failure is not remembered', async () => {
  const secret = createSecretReader({});
  expect((await failure(secret('aws-ssm:/muster/new')(false))).message).toContain(
    'aws-ssm:/muster/new (ParameterNotFound)',
  );
  aws.parameters.set('/muster/new', 'there now');
  expect(await secret('aws-ssm:/muster/new')(false)).toBe('there now');
});

test('a process that knows no region is told so', async () => {
  vi.stubEnv('AWS_REGION', undefined);
  expect((await failure(createSecretReader({})('aws-secret:muster/x')(false))).message).toContain('no region is set');
});

test('what stands in the environment is read as ever', async () => {
  const secret = createSecretReader({ A: '\uFEFFvalue\n' });
  expect(await secret('env:A')(false)).toBe('value');
  expect(await secret('public-client-id')(false)).toBe('public-client-id');
  expect((await failure(secret('env:B')(false))).code).toBe('settings-invalid');
  expect(aws.calls).toEqual([]);
});

test.each(['toString', '__proto__', 'constructor'])(
  'A15: env:%s is not set, whatever every object has',
  async (name) => {
    await expect(createSecretReader({})(`env:${name}`)(false)).rejects.toMatchObject({ code: 'settings-invalid' });
  },
);
