/** What every channel promises, held against a real HTTP server: taken or a named failure, in time, without a secret. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import type { Channel } from '../../src/alerts/channel.ts';
import { buildExampleMessage, busyNight, lostNight } from '../alerts/example-messages.ts';
import { type FakeClock, fakeClock, type Loopback, loopback } from '../http/loopback.ts';
import { hangLimit } from '../limits.ts';
import { hostileNames } from '../reports/names.ts';

export interface ChannelUnderTest {
  /** Speaks to this origin; `silence` is the longest that it bears, in milliseconds. */
  make(origin: string, silence: number): Channel;
  /** Answers as the real one does that takes the message. */
  take(body: string, response: ServerResponse): void;
  /** A refusal as the real one words it, with `planted` wherever it might be repeated. */
  refuse(status: number, planted: string, response: ServerResponse): void;
  /** Stands in the address or the credentials. */
  readonly secrets: readonly string[];
  /** Words of the title that whoever takes the message must find. */
  readonly telling: string;
  /** One for a message, or one for each of its events. */
  readonly requestsPerEvent?: true;
  /** Answers a request that signs in, which is none of the message. */
  readonly signIn?: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** A server that speaks something else than HTTP; it hands its own answer to `take` and `refuse`. */
  readonly listen?: (step: (response: ServerResponse, body: string) => void) => Promise<MailServer>;
}

export interface MailServer {
  readonly origin: string;
  close(): Promise<void>;
}

type Step = (request: IncomingMessage, response: ServerResponse, body: string) => void;

const planted = 'planted-body-canary';

export function channelContract(name: string, subject: ChannelUnderTest): void {
  describe(name, () => {
    let server: Loopback | undefined;
    let bodies: string[] = [];
    let clock: FakeClock;
    afterEach(async () => {
      await server?.close();
      server = undefined;
    });

    /** One step a request; the last one for all that follow. */
    async function sendThrough(
      steps: readonly Step[],
      { night = busyNight(), silence = hangLimit } = {},
    ): Promise<unknown> {
      bodies = [];
      clock = fakeClock();
      if (subject.listen !== undefined) {
        const mail = await subject.listen((response, body) => {
          bodies.push(body);
          steps[Math.min(bodies.length, steps.length) - 1]?.({} as IncomingMessage, response, body);
        });
        server = { ...mail, requests: [], headers: [] } as unknown as Loopback;
      }
      server ??= await loopback(async (request, response) => {
        if (subject.signIn?.(request, response)) {
          return;
        }
        const body = await text(request).catch(() => '');
        bodies.push(body);
        const step = steps[Math.min(bodies.length, steps.length) - 1];
        step?.(request, response, body);
      });
      const channel = subject.make(server.origin, silence);
      const payloads = channel.render(buildExampleMessage(night)).map((payload) => JSON.parse(JSON.stringify(payload)));
      const signal = new AbortController().signal;
      try {
        for (const [part, payload] of payloads.entries()) {
          const deadline = clock.elapsed() + 60_000;
          await channel.send(payload, { key: `muster/test/${part}`, clock, signal, deadline });
        }
        return undefined;
      } catch (error) {
        return error;
      }
    }

    const perMessage = subject.requestsPerEvent
      ? busyNight().events.filter(({ phase }) => phase !== 'notice').length
      : 1;
    const isWeb = subject.listen === undefined;
    const takes: Step = (_, response, body) => subject.take(body, response);
    const answers =
      (status: number, headers: Readonly<Record<string, string>> = {}): Step =>
      (_, response) => {
        for (const [key, value] of Object.entries(headers)) {
          response.setHeader(key, value);
        }
        subject.refuse(status, planted, response);
      };
    const hangs: Step = () => undefined;
    const resets: Step = (request) => void request.socket.resetAndDestroy();

    /** Neither the secret nor anything of a body stands in an error, however deep one looks. */
    function expectNamed(error: unknown): void {
      expect(error).toMatchObject({ name: 'MusterError', code: expect.any(String) });
      const shown = inspect(error, { depth: 20, showHidden: true });
      for (const secret of [...subject.secrets, planted]) {
        expect(shown).not.toContain(secret);
      }
    }

    it('hands the message over, once [L1]', async () => {
      expect(await sendThrough([takes])).toBeUndefined();
      expect(bodies).toHaveLength(perMessage);
      expect(bodies.join('\n')).toContain(subject.telling);
      expect(clock.waits).toEqual([]);
    });

    it.each([400, 401, 403, 404, 410, 413])('a refusal with %i is final, and named [L1]', async (status) => {
      expectNamed(await sendThrough([answers(status)]));
      // A token that is refused is renewed twice.
      expect(bodies).toHaveLength(status === 401 && subject.signIn !== undefined ? 3 : 1);
    });

    if (isWeb) {
      it('429 with Retry-After is waited for as long as it says [L1]', async () => {
        expect(await sendThrough([answers(429, { 'retry-after': '7' }), takes])).toBeUndefined();
        expect(clock.waits).toEqual([7_000]);
        expect(bodies).toHaveLength(perMessage + 1);
      });

      it('429 that asks for more patience than there is fails at once', async () => {
        expectNamed(await sendThrough([answers(429, { 'retry-after': '3600' })]));
        expect(clock.waits).toEqual([]);
      });
    }

    it.each([500, 502, 503])('%i is tried again [L1]', async (status) => {
      expect(await sendThrough([answers(status), answers(status), takes])).toBeUndefined();
      expect(bodies).toHaveLength(perMessage + 2);
    });

    it('5xx for ever ends after a few tries', async () => {
      expectNamed(await sendThrough([answers(503)]));
      expect(bodies.length).toBeGreaterThan(1);
      expect(bodies.length).toBeLessThanOrEqual(8);
    });

    it('a hang ends in time, and is named [L1]', async () => {
      expectNamed(await sendThrough([hangs], { silence: 50 }));
      expect(bodies.length).toBeLessThanOrEqual(8);
    });

    if (isWeb) {
      it('a reset is tried again [L1, L2]', async () => {
        expect(await sendThrough([resets, takes])).toBeUndefined();
        expect(bodies).toHaveLength(perMessage + 1);
      });

      it('resets for ever are named', async () => {
        expectNamed(await sendThrough([resets]));
      });

      it('a redirect is not followed [L10]', async () => {
        const elsewhere = await loopback((_, response) => response.end('taken'));
        expectNamed(await sendThrough([answers(302, { location: `${elsewhere.origin}/stolen` })]));
        expect(elsewhere.requests).toEqual([]);
        await elsewhere.close();
      });
    }

    it('what is kept to be sent holds no secret', () => {
      const kept = JSON.stringify(
        subject.make('http://127.0.0.1:9', hangLimit).render(buildExampleMessage(busyNight())),
      );
      for (const secret of subject.secrets) {
        expect(kept).not.toContain(secret);
      }
      expect(kept).not.toContain('127.0.0.1');
    });

    it.each([
      ['the first sixty', hostileNames.slice(0, 60)],
      ['the others', hostileNames.slice(60)],
    ])('hostile names are taken, in well-formed text: %s', async (_, names) => {
      expect(await sendThrough([takes], { night: lostNight(names) })).toBeUndefined();
      expect(bodies.length).toBeGreaterThan(0);
      expect(bodies.filter((body) => !body.isWellFormed())).toEqual([]);
    });

    it('the same news gives the same bytes', () => {
      const render = () =>
        JSON.stringify(subject.make('http://127.0.0.1:9', hangLimit).render(buildExampleMessage(busyNight())));
      expect(render()).toBe(render());
    });
  });
}
