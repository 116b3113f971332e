/** One request and one answer, as every simulated platform sees them. */

export type OriginName = 'jamf' | 'login' | 'graph' | 'downloads' | 'service';

export interface Exchange {
  readonly origin: OriginName;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /** What the wire does to the answer; without it the answer arrives whole. */
  readonly wire?: 'reset' | 'reset-mid-body' | 'hang' | { readonly dropAfterMilliseconds: number };
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}

export function html(status: number, body: string): Answer {
  return { status, headers: { 'content-type': 'text/html;charset=UTF-8' }, body };
}

export function xml(body: string): Answer {
  return { status: 200, headers: { 'content-type': 'application/xml;charset=UTF-8' }, body };
}

export function header(exchange: Exchange, name: string): string {
  const value = exchange.headers[name];
  return typeof value === 'string' ? value : (value?.join(', ') ?? '');
}

export function bearer(exchange: Exchange): string | undefined {
  return /^Bearer (.+)$/.exec(header(exchange, 'authorization'))?.[1];
}

export function form(exchange: Exchange): URLSearchParams {
  return new URLSearchParams(exchange.body);
}

/** The body as an object; an empty one where it is none. */
export function jsonBody(exchange: Exchange): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(exchange.body);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function whole(value: unknown, otherwise: number): number {
  const number = Number(value ?? Number.NaN);
  return Number.isInteger(number) && number >= 0 ? number : otherwise;
}
