/** One request and one answer, as every simulated platform sees them. */

export type OriginName = 'jamf' | 'login' | 'graph' | 'downloads' | 'service';

export interface PlatformRequest {
  readonly origin: OriginName;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface PlatformResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /** What the wire does to the answer; without it the answer arrives whole. */
  readonly wire?: 'reset' | 'reset-mid-body' | 'hang' | { readonly dropAfterMilliseconds: number };
}

export function respondJson(status: number, body: unknown, headers: Record<string, string> = {}): PlatformResponse {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}

export function respondHtml(status: number, body: string): PlatformResponse {
  return { status, headers: { 'content-type': 'text/html;charset=UTF-8' }, body };
}

export function respondXml(body: string): PlatformResponse {
  return { status: 200, headers: { 'content-type': 'application/xml;charset=UTF-8' }, body };
}

export function readBearerToken(request: PlatformRequest): string | undefined {
  return /^Bearer (.+)$/.exec(readHeader(request, 'authorization'))?.[1];
}

export function readHeader(request: PlatformRequest, name: string): string {
  const value = request.headers[name];
  return typeof value === 'string' ? value : (value?.join(', ') ?? '');
}

export function readForm(request: PlatformRequest): URLSearchParams {
  return new URLSearchParams(request.body);
}

/** The body as an object; an empty one where it is none. */
export function readJsonBody(request: PlatformRequest): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(request.body);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

export function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function toWholeNumber(value: unknown, otherwise: number): number {
  const number = Number(value ?? Number.NaN);
  return Number.isInteger(number) && number >= 0 ? number : otherwise;
}
