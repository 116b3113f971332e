/** A response of a simulated platform, and the usual ways to make one. */

export interface PlatformResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /** True where it arrives as late as from an overloaded server. */
  readonly isSlow?: boolean;
  /** The way in which the connection breaks; without it the response arrives whole. */
  readonly wire?: 'reset' | 'reset-mid-body' | 'hang' | 'endless' | { readonly dropAfterMilliseconds: number };
}

export function respondHtml(status: number, body: string): PlatformResponse {
  return { status, headers: { 'content-type': 'text/html;charset=UTF-8' }, body };
}

export function respondXml(body: string): PlatformResponse {
  return { status: 200, headers: { 'content-type': 'application/xml;charset=UTF-8' }, body };
}

export function respondBinary(body: string | Buffer): PlatformResponse {
  return { status: 200, headers: { 'content-type': 'application/octet-stream' }, body };
}

/** Thrown with a response in place of the usual one. */
export class Refusal extends Error {
  readonly response: PlatformResponse;

  constructor(response: PlatformResponse) {
    super(String(response.body));
    this.response = response;
  }
}

export function respondOrRefuse(respond: () => PlatformResponse): PlatformResponse {
  try {
    return respond();
  } catch (error) {
    if (error instanceof Refusal) {
      return error.response;
    }
    throw error;
  }
}

export function respondJson(status: number, body: unknown, headers: Record<string, string> = {}): PlatformResponse {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}
