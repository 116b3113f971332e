/** What a run says at a terminal about whom it told. */
import { expect, test } from 'vitest';
import { formatDeliveryLines } from '../../src/cli/delivery-lines.ts';

const why = { code: 'channel-refused', message: 'Slack did not take it: it answered 404.' };

test('nobody is told where no channel is set', () => {
  expect(formatDeliveryLines({ delivered: [], undelivered: [] }, 0)).toEqual([
    'No channel is set: nobody will be told.',
  ]);
  expect(formatDeliveryLines(undefined, 0)).toEqual(['No channel is set: nobody will be told.']);
});

test('a calm night is said to be one', () => {
  expect(formatDeliveryLines({ delivered: [], undelivered: [] }, 2)).toEqual(['Nothing to tell: no message was sent.']);
});

test('who took what, who did not and why, and what was given up', () => {
  const delivery = {
    delivered: [
      { channel: 'sns', messages: 1 },
      { channel: 'eventbridge', messages: 3 },
    ],
    undelivered: [{ channel: 'slack', since: '2026-06-01', messages: 2, why }],
    dropped: [{ channel: 'teams', messages: 1 }],
  };
  expect(formatDeliveryLines(delivery, 3)).toEqual([
    'Told: sns (1 message), eventbridge (3 messages).',
    'Not told: slack, since 2026-06-01. Slack did not take it: it answered 404. The next run tries first.',
    'Given up, as too old or for a channel that is no longer in the settings: teams (1 message).',
  ]);
});
