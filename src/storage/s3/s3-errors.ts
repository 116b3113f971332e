/**
 * Turns an error of S3 into one that says what Muster did, on what, and what to do. S3's own message is left out: some
 * contain parts of a request, and none gives advice.
 */

import { MusterError } from '../../base/errors.ts';
import { adviseOnProxy, findProxyFailure } from '../../http/connection-failures.ts';

/** The operation in progress, for messages. */
export interface S3Operation {
  /** `Writing`, `Reading`, … */
  readonly doing: string;
  readonly key: string;
  /** The permission that it needs: `s3:PutObject`. */
  readonly action: string;
}

export interface S3Refusal {
  /** S3's code, or Node's. */
  readonly code: string;
  readonly status: number | undefined;
  /** No answer, an unreadable one, or a server error: it is unknown whether the operation took effect. */
  readonly isUncertain: boolean;
  readonly error: MusterError;
}

const runAgainAdvice = 'Run Muster again.';
/** Advice for an endpoint without conditional writes. */
export const otherBucketAdvice = 'Use an Amazon S3 bucket, or another that supports conditional writes.';

const adviceByCodes: readonly (readonly [advice: string, codes: readonly string[]])[] = [
  ['There is no such bucket; check the store in the settings.', ['NoSuchBucket']],
  [
    'The bucket is in another region; set AWS_REGION to it.',
    ['PermanentRedirect', 'TemporaryRedirect', 'AuthorizationHeaderMalformed', 'IllegalLocationConstraintException'],
  ],
  [
    'The credentials are invalid or expired; sign in to AWS again.',
    ['InvalidAccessKeyId', 'SignatureDoesNotMatch', 'ExpiredToken', 'InvalidToken'],
  ],
  ['No AWS credentials were found; sign in to AWS, or give the machine a role.', ['CredentialsProviderError']],
  ['Set AWS_REGION to the region of the bucket.', ['RegionMissing']],
  ["This machine's clock is wrong; set it.", ['RequestTimeTooSkewed']],
  [`S3 is busy. ${runAgainAdvice}`, ['SlowDown', 'ServiceUnavailable', 'InternalError']],
  [
    'S3 did not answer; check the network and AWS_ENDPOINT_URL, and run Muster again.',
    [
      ...['RequestTimeout', 'TimeoutError', 'ConnectionLost', 'ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED'],
      ...['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
    ],
  ],
  [`Other processes wrote the same key at every try. ${runAgainAdvice}`, ['ConditionalRequestConflict']],
  ['S3 does not support this request; for example, a copy may be at most 5 GB.', ['InvalidRequest']],
  ['The bucket, or its Object Lock, does not allow this.', ['MethodNotAllowed']],
  [otherBucketAdvice, ['NotImplemented']],
  [`The object changed in the meantime. ${runAgainAdvice}`, ['PreconditionFailed']],
  ['The object is archived; restore it.', ['InvalidObjectState']],
];

export function toS3Refusal(error: unknown, step: S3Operation, address: string): S3Refusal {
  const sdkError = (error ?? {}) as SdkError;
  const { httpStatusCode: status, requestId, attempts } = sdkError.$metadata ?? {};
  const code = readErrorCode(sdkError);
  const { sentence, advice } = findProxyFailure(error) ?? {
    sentence: `${step.action} ended with ${code}`,
    advice: advise(code, status, step.action, address),
  };
  return {
    code,
    status,
    isUncertain: status === undefined || status >= 500 || status < 300,
    error: new MusterError(
      code === 'NotImplemented' ? 'store-unsuited' : 'store-unreachable',
      `${step.doing} ${step.key} in ${address} failed: ${sentence}. ${advice}`,
      // The cause omits the error itself, which contains the whole answer and perhaps parts of the signature.
      { cause: { code, status, requestId, attempts } },
    ),
  };
}

function advise(code: string, status: number | undefined, action: string, address: string): string {
  const [known] = adviceByCodes.find(([, codes]) => codes.includes(code)) ?? [];
  if (known !== undefined) {
    return known;
  }
  if (code.startsWith('KMS.')) {
    return `Check the bucket's KMS key: it must be enabled, and the role must be allowed kms:Decrypt and kms:GenerateDataKey.`;
  }
  if (status === 407) {
    return adviseOnProxy(status);
  }
  return status === 403
    ? `Allow ${action} below ${address}; where the bucket has a KMS key, kms:Decrypt and kms:GenerateDataKey too; and s3:ListBucket, without which S3 answers 403 for a key that does not exist.`
    : runAgainAdvice;
}

/** The fields that are read of an error of the SDK or of Node; a stream that ended early has none. */
interface SdkError {
  readonly name?: string;
  readonly message?: string;
  readonly code?: string;
  readonly $metadata?: { readonly httpStatusCode?: number; readonly requestId?: string; readonly attempts?: number };
}

/** Codes of answers to HEAD requests, which have no body. */
const codesByStatus: Readonly<Record<number, string>> = {
  301: 'PermanentRedirect',
  403: 'AccessDenied',
  404: 'NotFound',
};
const vagueNames: readonly string[] = ['Error', 'AggregateError', 'TypeError', 'Unknown', 'UnknownError', 'Forbidden'];

function readErrorCode({ name = 'Error', message, code, $metadata }: SdkError): string {
  if (message === 'Region is missing') {
    return 'RegionMissing';
  }
  if (!vagueNames.includes(name)) {
    return name;
  }
  const status = $metadata?.httpStatusCode;
  return status === undefined ? (code ?? 'ConnectionLost') : (codesByStatus[status] ?? `HTTP ${status}`);
}

/** Whether S3's checksum differs from the body's; the SDK shows that in the error's message alone. */
export function isChecksumMismatch(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('Checksum mismatch');
}
