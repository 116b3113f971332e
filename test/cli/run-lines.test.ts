/** What a run says at a terminal: what stands and where it is, and which messages were delivered. */
import { expect, test } from 'vitest';
import { formatDeliveryLines } from '../../src/cli/console/summary.ts';
import { formatOutcome, readCurrentLines } from '../../src/cli/run.ts';
import type { PreparedRun } from '../../src/compose/start.ts';
import type { Night } from '../../src/core/facts/judged.ts';
import { systemClock } from '../../src/http/clock.ts';
import { runNight } from '../../src/night.ts';
import { describeResult } from '../../src/run/outcome.ts';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import { listener, partsWith } from '../alerts/listeners.ts';
import { companyOfAllTables, slots } from '../night/small.ts';
import { memoryDisk } from '../storage/disks.ts';

const [slot = ''] = slots;

test('a run of a slot that is published prints its number and where the page is', async () => {
  const made = companyOfAllTables();
  const store = createFolderStore('/store', memoryDisk());
  expect(await readCurrentLines(store)).toEqual([]);
  const parts = partsWith(made, store, [listener('one')], systemClock);
  await runNight(made.order(slot), parts);
  const outcome = await runNight(made.order(slot), parts);
  const session = { settings: { alerts: { channels: [{}] } }, parts } as unknown as PreparedRun;
  expect([...formatOutcome(outcome, session), ...(await readCurrentLines(store))]).toEqual([
    'The run of this date is already published; no platform was asked, and nothing was changed.',
    '',
    `Run of ${slot}:`,
    '  83.33 % have the agent   (certainly 83.33 %, at most 83.34 %)',
    '  12 devices counted; 2 need action, 0 with an old answer',
    'Page: /store/latest/index.html   (npm run muster -- open)',
  ]);
});

test('a run says calmly that its file of exemptions has no row', async () => {
  const made = companyOfAllTables();
  const parts = partsWith(made, createFolderStore('/store', memoryDisk()), [], systemClock);
  const outcome = await runNight(made.order(slot), parts);
  const row = { match: 'serial', value: 'X', source: '', reason: 'lab', owner: 'it', expires: '2027-01-01', line: 2 };
  const exempting = { ...outcome.night, exemptions: [{ ...row, devices: 0, result: 'unmatched' }] } as Night;
  const session = { settings: { alerts: { channels: [] }, exemptions: 'exempt.csv' }, parts } as unknown as PreparedRun;
  const sentence = 'Exemptions: exempt.csv has no row below its header, so that no device is exempt.';
  expect(formatOutcome(outcome, session)).toContain(sentence);
  expect(formatOutcome({ ...outcome, night: exempting }, session)).not.toContain(sentence);
});

test('a retry that was no more complete says so', async () => {
  const made = companyOfAllTables();
  const parts = partsWith(made, createFolderStore('/store', memoryDisk()), [], systemClock);
  made.away.add('windows');
  await runNight(made.order(slot), parts);
  expect(describeResult(await runNight(made.order(slot), parts))).toBe(
    'The run of this date is already published, and the retry was no more complete; nothing was changed.',
  );
});

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

test('which channel accepted what and which did not, and why', () => {
  const delivery = {
    delivered: [
      { channel: 'sns', messages: 1 },
      { channel: 'eventbridge', messages: 3 },
    ],
    undelivered: [{ channel: 'slack', since: '2026-06-01', messages: 2, why }],
  };
  expect(formatDeliveryLines(delivery, 3)).toEqual([
    'Delivered: sns (1 message), eventbridge (3 messages).',
    'Not delivered: slack, since 2026-06-01. Slack rejected the message (HTTP 404). Retried first by the next run.',
  ]);
});
