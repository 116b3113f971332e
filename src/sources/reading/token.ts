/** One token at a time, shared by all waiting requests, and renewed in time. */
import { createUnreadableAnswerError } from '../../http/body.ts';
import type { Credential } from '../../http/client.ts';
import type { Clock } from '../../http/clock.ts';

export interface Token {
  readonly text: string;
  /** In milliseconds; undefined where the server sends no usable one. Such a token is used until the server refuses it. */
  readonly lifetime: number | undefined;
}

/** Milliseconds. Lifetimes of 60 s are common, so with a fixed margin of minutes every request would sign in. */
const longestMargin = 30_000;
const marginShare = 0.25;
/** A sign-in that has just failed is not repeated by every request that is made without the answer of another. */
const pauseAfterFailure = 5_000;

export class TokenCredential implements Credential {
  readonly #who: string;
  readonly #clock: Clock;
  readonly #obtain: () => Promise<Token>;
  #token: { readonly header: string; readonly renewAt: number } | undefined;
  #renewal: Promise<string> | undefined;
  #failure: { readonly error: unknown; readonly at: number } | undefined;

  constructor(who: string, clock: Clock, obtain: () => Promise<Token>) {
    this.#who = who;
    this.#clock = clock;
    this.#obtain = obtain;
  }

  async header(refused?: string): Promise<string> {
    const now = this.#clock.elapsed();
    if (this.#token !== undefined && this.#token.header !== refused && now < this.#token.renewAt) {
      return this.#token.header;
    }
    if (this.#failure !== undefined && now - this.#failure.at < pauseAfterFailure) {
      throw this.#failure.error;
    }
    this.#renewal ??= this.#renew(now).finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  async #renew(requestedAt: number): Promise<string> {
    try {
      const { text, lifetime = Number.POSITIVE_INFINITY } = await this.#obtain();
      if (!/^[\x21-\x7e]+$/.test(text)) {
        throw createUnreadableAnswerError(this.#who, 'a token that no HTTP header can hold');
      }
      const header = `Bearer ${text}`;
      this.#token = { header, renewAt: requestedAt + lifetime - Math.min(longestMargin, lifetime * marginShare) };
      return header;
    } catch (error) {
      this.#failure = { error, at: this.#clock.elapsed() };
      throw error;
    }
  }
}
