/** A request to any simulated platform, and readers of its parts. */
import type { OriginName } from './platforms.ts';

export interface PlatformRequest {
  readonly origin: OriginName;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

export function readBearerToken(request: PlatformRequest): string | undefined {
  return /^Bearer (.+)$/.exec(readHeader(request, 'authorization'))?.[1];
}

export function readHeader(request: PlatformRequest, name: string): string {
  const value = request.headers[name];
  return typeof value === 'string' ? value : (value?.join(', ') ?? '');
}

/** The body as an object; empty where it is not an object. */
export function readJsonBody(request: PlatformRequest): Readonly<Record<string, unknown>> {
  try {
    const body: unknown = JSON.parse(request.body);
    return typeof body === 'object' && body !== null ? { ...body } : {};
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
