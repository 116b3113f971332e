/** What S3 says when it does not do what was asked: a status, a code, and an XML body (none for HEAD). */
import { element } from './xml.ts';

export interface Refusal extends Error {
  readonly refusal: true;
  readonly status: number;
  readonly code: string;
  readonly extra: Readonly<Record<string, string>>;
}

export function refusal(
  status: number,
  code: string,
  message: string,
  extra: Readonly<Record<string, string>> = {},
): Refusal {
  return Object.assign(new Error(message), { refusal: true as const, status, code, extra });
}

export function isRefusal(error: unknown): error is Refusal {
  return error instanceof Error && 'refusal' in error && error.refusal === true;
}

export function refusalBody(refused: Refusal, resource: string, requestId: string): string {
  const parts = { Code: refused.code, Message: refused.message, ...refused.extra, Resource: resource };
  const inner = Object.entries({ ...parts, RequestId: requestId, HostId: 'peer' }).map(([name, text]) =>
    element(name, text),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Error>${inner.join('')}</Error>`;
}

export const refused = {
  accessDenied: (detail = 'Access Denied') => refusal(403, 'AccessDenied', detail),
  noSuchBucket: (bucket: string) =>
    refusal(404, 'NoSuchBucket', 'The specified bucket does not exist', { BucketName: bucket }),
  noSuchKey: (key: string) => refusal(404, 'NoSuchKey', 'The specified key does not exist.', { Key: key }),
  noSuchUpload: (uploadId: string) =>
    refusal(404, 'NoSuchUpload', 'The specified multipart upload does not exist.', { UploadId: uploadId }),
  precondition: (condition: string) =>
    refusal(412, 'PreconditionFailed', 'At least one of the pre-conditions you specified did not hold', {
      Condition: condition,
    }),
  invalid: (message: string) => refusal(400, 'InvalidRequest', message),
  badDigest: (message: string) => refusal(400, 'BadDigest', message),
  notImplemented: (header: string) =>
    refusal(501, 'NotImplemented', 'A header you provided implies functionality that is not implemented', {
      Header: header,
    }),
};
