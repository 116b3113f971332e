/** A second opinion on SNS and EventBridge from somebody else's, where it is installed (`moto_server` on the PATH). */
import { CreateTopicCommand, SNSClient } from '@aws-sdk/client-sns';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Channel } from '../../src/alerts/channel.ts';
import { systemClock } from '../../src/http/clock.ts';
import { hangLimit } from '../limits.ts';
import { isOnPath, needProgram } from '../needs.ts';
import { type Moto, startMoto } from '../peers/moto.ts';
import { hostileNames } from '../reports/names.ts';
import { openPlain } from './channel-subjects.ts';
import { buildExampleMessage, busyNight, lostNight } from './example-messages.ts';

if (isOnPath('moto_server')) {
  describe('moto, a second opinion:', askMoto);
} else {
  test('moto, a second opinion', ({ skip }) => needProgram(skip, 'moto_server'));
}

function askMoto(): void {
  let moto: Moto | undefined;
  let topic = '';
  let fifo = '';

  beforeAll(async () => {
    moto = await startMoto();
    for (const [name, value] of Object.entries({ AWS_ENDPOINT_URL: moto.origin, AWS_REGION: 'us-east-1' })) {
      vi.stubEnv(name, value);
    }
    for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) {
      vi.stubEnv(name, 'moto');
    }
    const client = new SNSClient({});
    topic = (await client.send(new CreateTopicCommand({ Name: 'night' }))).TopicArn ?? '';
    const Attributes = { FifoTopic: 'true' };
    fifo = (await client.send(new CreateTopicCommand({ Name: 'night.fifo', Attributes }))).TopicArn ?? '';
  });
  afterAll(() => {
    moto?.stop();
    vi.unstubAllEnvs();
  });

  /** How many messages it took. */
  async function sendAll(channel: Channel): Promise<number> {
    let taken = 0;
    const nights = [
      busyNight(),
      lostNight(hostileNames),
      lostNight(Array.from({ length: 300 }, () => '🦊'.repeat(100))),
    ];
    for (const [index, night] of nights.entries()) {
      for (const [part, payload] of channel.render(buildExampleMessage(night)).entries()) {
        const { signal } = new AbortController();
        const deadline = systemClock.elapsed() + hangLimit;
        await channel.send(payload, { key: `muster/${index}/${part}`, clock: systemClock, signal, deadline });
        taken += 1;
      }
    }
    return taken;
  }

  test('SNS takes every message, to a topic of either kind', async () => {
    for (const topicArn of [topic, fifo]) {
      expect(await sendAll(openPlain({ type: 'sns', topicArn }))).toBe(3);
    }
  });

  test('EventBridge takes every event', async () => {
    expect(await sendAll(openPlain({ type: 'eventbridge', busName: 'default', source: 'muster' }))).toBeGreaterThan(3);
  });

  test('a topic that is not there is named', async () => {
    const gone = sendAll(openPlain({ type: 'sns', topicArn: `${topic}-gone` }));
    await expect(gone).rejects.toMatchObject({ code: 'channel-refused' });
  });
}
