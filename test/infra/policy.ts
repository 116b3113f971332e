/**
 * Whether policies allow a call, decided as IAM does: whatever is denied anywhere is denied, whatever no statement
 * allows is not allowed. Pure; a word that it does not know is an error, never a guess.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html
 */

type Words = string | readonly string[];

export interface Statement {
  readonly Sid?: string;
  readonly Effect: 'Allow' | 'Deny';
  readonly Principal?: unknown;
  readonly Action: Words;
  readonly Resource?: Words;
  readonly NotResource?: Words;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, Words>>>>;
}

export interface PolicyDocument {
  readonly Statement: readonly Statement[];
}

export interface Request {
  readonly action: string;
  /** An ARN. */
  readonly resource: string;
  /** Condition keys, as IAM would have them; what is not there is absent. */
  readonly context: Readonly<Record<string, Words>>;
}

type Decision = 'allowed' | 'denied' | 'not allowed';

export function decide(documents: readonly PolicyDocument[], request: Request): Decision {
  const fitting = documents.flatMap(({ Statement }) => Statement).filter((statement) => fits(statement, request));
  if (fitting.some(({ Effect }) => Effect === 'Deny')) {
    return 'denied';
  }
  return fitting.some(({ Effect }) => Effect === 'Allow') ? 'allowed' : 'not allowed';
}

function fits(statement: Statement, { action, resource, context }: Request): boolean {
  const { Action, Resource, NotResource, Condition = {} } = statement;
  if (!some(Action, (pattern) => isLike(action, pattern))) {
    return false;
  }
  if (Resource !== undefined && !some(Resource, (pattern) => isLike(resource, pattern))) {
    return false;
  }
  if (NotResource !== undefined && some(NotResource, (pattern) => isLike(resource, pattern))) {
    return false;
  }
  return Object.entries(Condition).every(([operator, keys]) =>
    Object.entries(keys).every(([key, wanted]) => holds(operator, context[key], list(wanted))),
  );
}

/** An absent key fails what is asked of it, and meets what is asked against it. */
function holds(operator: string, found: Words | undefined, wanted: readonly string[]): boolean {
  if (operator === 'Null') {
    return String(found === undefined) === wanted[0];
  }
  if (operator.endsWith('IfExists')) {
    return found === undefined || holds(operator.slice(0, -'IfExists'.length), found, wanted);
  }
  const every = operator.startsWith('ForAllValues:');
  const test = tests[operator.replace(/^For(All|Any)Values?:/, '')];
  if (test === undefined) {
    throw new Error(`the condition operator ${operator} is not known here`);
  }
  const isNegated = operator.includes('Not');
  if (found === undefined) {
    return every || isNegated;
  }
  const matches = (value: string) =>
    isNegated ? wanted.every((one) => test(value, one)) : wanted.some((one) => test(value, one));
  return every ? list(found).every(matches) : list(found).some(matches);
}

const tests: Readonly<Record<string, (found: string, wanted: string) => boolean>> = {
  Bool: (found, wanted) => found === wanted,
  StringEquals: (found, wanted) => found === wanted,
  StringNotEquals: (found, wanted) => found !== wanted,
  StringLike: isLike,
  ArnEquals: isLike,
  ArnLike: isLike,
  ArnNotLike: (found, wanted) => !isLike(found, wanted),
  ArnNotEquals: (found, wanted) => !isLike(found, wanted),
  NumericLessThan: (found, wanted) => Number(found) < Number(wanted),
};

const patterns = new Map<string, RegExp>();

/** `*` stands for any text, `?` for one character. */
function isLike(text: string, pattern: string): boolean {
  const known = patterns.get(pattern) ?? compilePattern(pattern);
  patterns.set(pattern, known);
  return known.test(text);
}

function compilePattern(pattern: string): RegExp {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '[\\s\\S]*')
    .replaceAll('?', '[\\s\\S]');
  return new RegExp(`^${source}$`);
}

function some(words: Words, test: (word: string) => boolean): boolean {
  return list(words).some(test);
}

export function list(words: Words): readonly string[] {
  return typeof words === 'string' ? [words] : words;
}

/** A call as a peer of S3 writes it down. */
export interface RecordedCall {
  readonly action: string;
  readonly bucket: string;
  /** Of a listing, the prefix. */
  readonly key: string;
  readonly operation?: string;
  readonly conditional?: 'If-None-Match' | 'If-Match';
}

const makesNothing = ['CreateMultipartUpload', 'UploadPart'];

/** What IAM and the bucket would be asked, were the call made by this role over TLS. */
export function requestOf(call: RecordedCall, role: string, account = '123456789012'): Request {
  const { action, bucket, key, operation, conditional } = call;
  const isOfBucket = action.startsWith('s3:ListBucket');
  return {
    action,
    resource: `arn:aws:s3:::${bucket}${isOfBucket ? '' : `/${key}`}`,
    context: {
      'aws:SecureTransport': 'true',
      's3:TlsVersion': '1.3',
      'aws:PrincipalArn': role,
      'aws:ResourceAccount': account,
      ...(isOfBucket ? { 's3:prefix': key } : {}),
      ...(action === 's3:PutObject'
        ? { 's3:ObjectCreationOperation': String(!makesNothing.includes(operation ?? '')) }
        : {}),
      ...(conditional === 'If-None-Match' ? { 's3:if-none-match': '*' } : {}),
      ...(conditional === 'If-Match' ? { 's3:if-match': '"etag"' } : {}),
    },
  };
}

/** What is allowed and nobody asked for: each action, and each resource, of an allowing statement that no request needed. */
export function unused(document: PolicyDocument, requests: readonly Request[]): string[] {
  return document.Statement.filter(({ Effect }) => Effect === 'Allow').flatMap((statement) => {
    const needing = requests.filter((request) => fits(statement, request));
    const actions = list(statement.Action).filter((action) => !needing.some((request) => request.action === action));
    const resources = list(statement.Resource ?? []).filter(
      (pattern) => !needing.some(({ resource }) => isLike(resource, pattern)),
    );
    return [...actions, ...resources].map((one) => `${statement.Sid ?? '?'}: ${one}`);
  });
}
