/**
 * Turns an error of S3 into one that says what Muster did, on what, and what to do. S3's own message is left out: some
 * repeat parts of a request, and none says what to do.
 */

import { MusterError } from '../../base/errors.ts';
import { isRecord } from '../../base/is-record.ts';

/** The operation in progress, for messages. */
export interface S3Operation {
  /** `Writing`, `Reading`, … */
  readonly doing: string;
  readonly key: string;
  /** The permission it needs: `s3:PutObject`. */
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
const credentialsAdvice = 'The credentials are invalid or expired; sign in to AWS again.';
const regionAdvice = 'The bucket is in another region; set AWS_REGION to it.';
const networkAdvice = 'S3 did not answer; check the network and AWS_ENDPOINT_URL, and run Muster again.';
/** The endpoint has no conditional writes. */
export const otherBucketAdvice = 'Use an Amazon S3 bucket, or another that supports conditional writes.';
const busyAdvice = `S3 is busy. ${runAgainAdvice}`;

const s3Advice: Readonly<Record<string, string>> = {
  NoSuchBucket: 'There is no such bucket; check the store in the settings.',
  PermanentRedirect: regionAdvice,
  TemporaryRedirect: regionAdvice,
  AuthorizationHeaderMalformed: regionAdvice,
  IllegalLocationConstraintException: regionAdvice,
  InvalidAccessKeyId: credentialsAdvice,
  SignatureDoesNotMatch: credentialsAdvice,
  ExpiredToken: credentialsAdvice,
  InvalidToken: credentialsAdvice,
  CredentialsProviderError: 'No AWS credentials were found; sign in to AWS, or give the machine a role.',
  RegionMissing: 'Set AWS_REGION to the region of the bucket.',
  RequestTimeTooSkewed: "This machine's clock is wrong; set it.",
  SlowDown: busyAdvice,
  ServiceUnavailable: busyAdvice,
  InternalError: busyAdvice,
  RequestTimeout: networkAdvice,
  TimeoutError: networkAdvice,
  ENOTFOUND: networkAdvice,
  EAI_AGAIN: networkAdvice,
  ECONNREFUSED: networkAdvice,
  ECONNRESET: networkAdvice,
  EPIPE: networkAdvice,
  ETIMEDOUT: networkAdvice,
  EHOSTUNREACH: networkAdvice,
  ENETUNREACH: networkAdvice,
  ConnectionLost: networkAdvice,
  ConditionalRequestConflict: `Other processes wrote the same key at every try. ${runAgainAdvice}`,
  InvalidRequest: 'S3 does not support this request; for example, a copy may be at most 5 GB.',
  MethodNotAllowed: 'The bucket, or its Object Lock, does not allow this.',
  NotImplemented: otherBucketAdvice,
  PreconditionFailed: `The object changed in the meantime. ${runAgainAdvice}`,
  InvalidObjectState: 'The object is archived; restore it.',
};

export function toS3Refusal(error: unknown, step: S3Operation, address: string): S3Refusal {
  const { code, status, requestId, attempts } = readErrorDetails(error);
  const refused = status === 403 && code !== 'RequestTimeTooSkewed' && s3Advice[code] === undefined;
  const help = code.startsWith('KMS.')
    ? `Check the bucket's KMS key: it must be enabled, and the role must be allowed kms:Decrypt and kms:GenerateDataKey.`
    : refused
      ? `Allow ${step.action} below ${address}; where the bucket has a KMS key, kms:Decrypt and kms:GenerateDataKey too; and s3:ListBucket, without which S3 answers 403 for a key that does not exist.`
      : (s3Advice[code] ?? runAgainAdvice);
  return {
    code,
    status,
    isUncertain: status === undefined || status >= 500 || status < 300,
    error: new MusterError(
      code === 'NotImplemented' ? 'store-unsuited' : 'store-unreachable',
      `${step.doing} ${step.key} in ${address} failed: ${step.action} ended with ${code}. ${help}`,
      // Not the error itself: it contains the whole answer, which may repeat parts of the signature.
      { cause: { code, status, requestId, attempts } },
    ),
  };
}

interface S3ErrorDetails {
  readonly code: string;
  readonly status: number | undefined;
  readonly requestId: unknown;
  readonly attempts: unknown;
}

/** Codes for a HEAD request, whose answer has no body. */
const codesByStatus: Readonly<Record<number, string>> = {
  301: 'PermanentRedirect',
  403: 'AccessDenied',
  404: 'NotFound',
};

function readErrorDetails(error: unknown): S3ErrorDetails {
  if (!(error instanceof Error)) {
    return { code: 'unknown', status: undefined, requestId: undefined, attempts: undefined };
  }
  const metadata = '$metadata' in error && isRecord(error.$metadata) ? error.$metadata : {};
  const status = typeof metadata.httpStatusCode === 'number' ? metadata.httpStatusCode : undefined;
  return {
    code: readErrorCode(error, status),
    status,
    requestId: metadata.requestId,
    attempts: metadata.attempts,
  };
}

function readErrorCode(error: Error, status: number | undefined): string {
  if (error.message === 'Region is missing') {
    return 'RegionMissing';
  }
  const vague = ['Error', 'AggregateError', 'TypeError', 'Unknown', 'UnknownError', 'Forbidden'].includes(error.name);
  if (status !== undefined) {
    return vague ? (codesByStatus[status] ?? `HTTP ${status}`) : error.name;
  }
  if (!vague) {
    return error.name;
  }
  return 'code' in error && typeof error.code === 'string' ? error.code : 'ConnectionLost';
}

/** The SDK compares the body with S3's checksum; only the message of its error shows a mismatch. */
export function isChecksumMismatch(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('Checksum mismatch');
}
