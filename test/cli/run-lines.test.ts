/** What a run says at a terminal when it has nothing to do: what stands, and where it is. */
import { expect, test } from 'vitest';
import { formatOutcome, readStandingLines } from '../../src/cli/run.ts';
import type { Session } from '../../src/cli/session.ts';
import { systemClock } from '../../src/http/clock.ts';
import { runNight } from '../../src/night.ts';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import { listener, partsWith } from '../alerts/listeners.ts';
import { company, slots } from '../night/small.ts';
import { memoryDisk } from '../storage/disks.ts';

const [slot = ''] = slots;

test('a run of a slot that is published prints its number and where the page is', async () => {
  const made = company();
  const store = createFolderStore('/store', memoryDisk());
  expect(await readStandingLines(store)).toEqual([]);
  const parts = partsWith(made, store, [listener('one')], systemClock);
  await runNight(made.order(slot), parts);
  const outcome = await runNight(made.order(slot), parts);
  const session = { settings: { alerts: { channels: [{}] } }, parts } as unknown as Session;
  expect([...formatOutcome(outcome, session), ...(await readStandingLines(store))]).toEqual([
    'This slot is already published, and the retry was no more complete; nothing was changed.',
    '',
    `Run of ${slot}:`,
    '  83.33 % have the agent   (certainly 83.33 %, at most 83.34 %)',
    '  12 devices counted; 2 need action, 0 with an old answer',
    'Page: /store/latest/index.html   (muster open)',
  ]);
});
