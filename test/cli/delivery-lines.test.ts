/** The lines of a run at a terminal about the messages that were delivered. */
import { expect, test } from 'vitest';
import { formatDeliveryLines } from '../../src/cli/delivery-lines.ts';

const why = { code: 'channel-refused', message: 'Slack rejected the message (HTTP 404).' };

test('without a channel, nothing is reported', () => {
  expect(formatDeliveryLines({ delivered: [], undelivered: [] }, 0)).toEqual([
    'No channel is set: nothing will be reported.',
  ]);
  expect(formatDeliveryLines(undefined, 0)).toEqual(['No channel is set: nothing will be reported.']);
});

test('a run without events says that no message was sent', () => {
  expect(formatDeliveryLines({ delivered: [], undelivered: [] }, 2)).toEqual([
    'Nothing to report: no message was sent.',
  ]);
});

test('which channel accepted what, which did not and why, and what was dropped', () => {
  const delivery = {
    delivered: [
      { channel: 'sns', messages: 1 },
      { channel: 'eventbridge', messages: 3 },
    ],
    undelivered: [{ channel: 'slack', since: '2026-06-01', messages: 2, why }],
    dropped: [
      { channel: 'teams', messages: 1 },
      { channel: 'soc', messages: 0, heldEvents: 2 },
    ],
  };
  expect(formatDeliveryLines(delivery, 3)).toEqual([
    'Delivered: sns (1 message), eventbridge (3 messages).',
    'Not delivered: slack, since 2026-06-01. Slack rejected the message (HTTP 404). Retried first by the next run.',
    'Dropped, since it is too old or its channel is no longer in the settings: teams (1 message).',
    'Dropped, since it is too old or its channel is no longer in the settings: soc (2 events held for its weekly summary).',
  ]);
});
