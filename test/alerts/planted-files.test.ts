/** Files that somebody else put below `deliveries/` silence nobody, and the run says so (A4 of the attacks). */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { reportFailure } from '../../src/alerts/delivery/report-failure.ts';
import { type ErrorCode, MusterError } from '../../src/base/errors.ts';
import { systemClock } from '../../src/http/clock.ts';
import { runNight } from '../../src/night.ts';
import { readCurrentRun } from '../../src/storage/commits/log.ts';
import { makeClaim, makeMark } from '../../src/storage/deliveries/delivery-record.ts';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import { toAttemptFolder, toClaimKey, toFailureKey, toMarkKey } from '../../src/storage/keys.ts';
import { verifyRuns } from '../../src/storage/verify/verify.ts';
import { keysOf } from '../night/folder.ts';
import { company, slots } from '../night/small.ts';
import { memoryDisk } from '../storage/disks.ts';
import { makeSigning } from '../storage/make-signing.ts';
import { listener, partsWith } from './listeners.ts';

const [first = '', second = '', third = ''] = slots;
const at = new Date(`${first}T05:15:00Z`);
const one = { name: 'one' };

/** After a run whose message the channel did not accept; `signing` is its own. */
async function openSetup({ isSigned = false } = {}) {
  const store = createFolderStore('/store', memoryDisk());
  const made = company();
  const channel = listener('one');
  const signing = makeSigning();
  const parts = () => ({ ...partsWith(made, store, [channel], systemClock), ...(isSigned && { signing }) });
  const night = (slot: string) => runNight(made.order(slot), parts());
  channel.down = true;
  await night(first);
  channel.down = false;
  const run = await readCurrentRun(store);
  if (run === undefined) {
    throw new Error('nothing is published');
  }
  const range = { first: 1, last: run };
  const plant = (key: string, body: string | Buffer) => store.put(key, Buffer.from(body));
  return { store, channel, signing, night, range, plant };
}

type Setup = Awaited<ReturnType<typeof openSetup>>;

function listWarnings(): string[] {
  const warnings: string[] = [];
  const note = ({ name, message }: Error) => {
    if (name === 'MusterWarning') {
      warnings.push(message);
    }
  };
  process.on('warning', note);
  onTestFinished(() => void process.off('warning', note));
  return warnings;
}

const mark = toMarkKey('one', 1);
const claim = toClaimKey('one', 1, 1);
const other = { commit: { number: 1, store: '0'.repeat(32) }, sha256: '0'.repeat(64) } as Setup['range']['last'];
const above = { ...other, commit: { ...other.commit, number: 9_999_999_999 } };

const plants: readonly (readonly [what: string, isSigned: boolean, plant: (made: Setup) => Promise<unknown>])[] = [
  ['an unsigned mark', true, async ({ plant, range }) => plant(mark, await makeMark(one, range, at, undefined))],
  [
    'a mark that another key signed',
    true,
    async ({ plant, range }) => {
      const foreign = makeSigning();
      return plant(mark, await makeMark(one, range, at, foreign));
    },
  ],
  [
    'a signed claim in the place of a mark',
    true,
    async ({ plant, range, signing }) => plant(mark, await makeClaim(one, range, at, signing)),
  ],
  ['an unsigned claim', true, async ({ plant, range }) => plant(claim, await makeClaim(one, range, at, undefined))],
  [
    'a mark of another history',
    false,
    async ({ plant }) => plant(mark, await makeMark(one, { first: 1, last: other }, at, undefined)),
  ],
  [
    'a mark of a commit that is not there',
    false,
    async ({ plant }) =>
      plant(toMarkKey('one', 9_999_999_999), await makeMark(one, { first: 1, last: above }, at, undefined)),
  ],
  [
    'a claim that ends with a commit that is not there',
    false,
    async ({ plant }) => plant(claim, await makeClaim(one, { first: 1, last: above }, at, undefined)),
  ],
  [
    'the mark of another channel',
    false,
    async ({ plant, range }) => plant(mark, await makeMark({ name: 'two' }, range, at, undefined)),
  ],
  [
    'a mark for another address',
    false,
    async ({ plant, range }) => plant(mark, await makeMark({ ...one, address: 'x' }, range, at, undefined)),
  ],
  ['a mark that is empty', false, async ({ plant }) => plant(mark, '')],
  ['a mark of a newer version', false, async ({ plant }) => plant(mark, '{"schema":99}\n')],
  ['a mark of 100 kB', false, async ({ plant }) => plant(mark, ' '.repeat(100_000))],
  ['a claim that is no JSON', false, async ({ plant }) => plant(claim, 'x')],
];

describe('the message is sent, once, and the run names the file, where somebody has planted', () => {
  it.each(plants)('%s (signing: %s)', async (_, isSigned, plant) => {
    const made = await openSetup({ isSigned });
    const warnings = listWarnings();
    await plant(made);
    expect(await made.night(first)).toMatchObject({ exit: 0, delivery: { undelivered: [] } });
    expect(made.channel.taken).toHaveLength(1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(warnings.join('\n')).toMatch(/deliveries\/one\/\S+ was ignored, and one is sent what it lacks: /);
    expect(await made.night(first)).toMatchObject({ exit: 0 });
    expect(made.channel.taken).toHaveLength(1);
    await made.night(second);
    expect(made.channel.taken.map(({ key }) => key.split('/')[1])).toEqual([first, second]);
    const { keys } = { keys: isSigned ? await made.signing.readKeys() : undefined };
    expect((await verifyRuns(made.store, { keys })).damage).toEqual([]);
  });
});

it('marks above the log are named without a look at each, however many there are', async () => {
  const { night, channel, plant, store } = await openSetup({ isSigned: true });
  for (let number = 1; number <= 200; number += 1) {
    await plant(toMarkKey('one', 9_999_999_000 + number), 'x');
  }
  const read = vi.spyOn(store, 'read');
  await night(first);
  expect(channel.taken).toHaveLength(1);
  expect(read.mock.calls.length).toBeLessThan(100);
});

/** Two runs whose messages the channel did not accept; the first has a claim, and a damaged file. */
async function claimDamagedRun(file: string) {
  const made = await openSetup();
  const { night, channel, plant, range } = made;
  channel.down = true;
  await night(second);
  channel.down = false;
  await plant(claim, await makeClaim(one, range, at, undefined));
  const { slot, attempt } = range.last.commit;
  await plant(`${toAttemptFolder(slot, attempt)}${file}`, 'x');
  return made;
}

it('a claim is void where the events of its last run are damaged: the message is about later runs, and says so', async () => {
  const { night, channel } = await claimDamagedRun('events.json');
  expect(await night(second)).toMatchObject({ delivery: { undelivered: [] } });
  expect(channel.taken.map(({ key }) => key.split('/')[1])).toEqual([second]);
  expect(channel.taken[0]?.text).toContain('1 earlier run is no longer kept');
});

it('a later mark that is forged takes no genuine one away, whatever is let go', async () => {
  const { night, channel, plant, store } = await openSetup({ isSigned: true });
  await night(first);
  channel.down = true;
  await plant(toMarkKey('one', 2), 'x');
  await night(second);
  await night(third);
  channel.down = false;
  await night(third);
  expect(channel.taken.map(({ key }) => key.split('/').slice(1, 3))).toEqual([
    [first, '1'],
    [third, '2-3'],
  ]);
  expect((await keysOf(store)).filter((key) => key.endsWith('.mark.json'))).toEqual([toMarkKey('one', 3)]);
});

it('old claims that somebody has put there cost a bounded number of calls, and go', async () => {
  const { night, plant, store } = await openSetup({ isSigned: true });
  await night(first);
  for (let number = 1; number <= 200; number += 1) {
    await plant(toClaimKey('one', 1, number), '{"schema":99}');
  }
  const [read, remove] = [vi.spyOn(store, 'read'), vi.spyOn(store, 'remove')];
  await night(second);
  expect(read.mock.calls.length + remove.mock.calls.length).toBeLessThan(100);
  for (let times = 0; times < 10; times += 1) {
    await night(second);
  }
  expect((await keysOf(store)).filter((key) => key.endsWith('.claim.json'))).toEqual([]);
});

it('a damaged state of an earlier run keeps no message back', async () => {
  const { night, channel } = await claimDamagedRun('state.json.gz');
  await night(second);
  expect(channel.taken.map(({ key }) => key.split('/')[1])).toEqual([first, second]);
});

it('without signing, a mark that names the right commit is believed, as docs/alerts.md says', async () => {
  const { night, channel, plant, range } = await openSetup();
  await plant(mark, await makeMark(one, range, at, undefined));
  expect(await night(first)).toMatchObject({ exit: 0 });
  expect(channel.taken).toEqual([]);
});

it('more claims than any run leaves stop the channel by name, and the run ends with 3', async () => {
  const { night, channel, plant } = await openSetup();
  for (let number = 1; number <= 100; number += 1) {
    await plant(toClaimKey('one', 1, number), 'x');
  }
  listWarnings();
  const unfinished = [{ step: 'messages', code: 'claims-exhausted' }];
  expect(await night(first)).toMatchObject({ exit: 3, unfinished });
  expect(channel.taken).toEqual([]);
});

describe('a planted report of a failed run', () => {
  it.each([
    ['the same failure on the same head', 1, 'store-unsuited', 0],
    ['another failure', 1, 'deadline', 1],
    ['the same on another head', 0, 'store-unsuited', 1],
  ] as const)('hides %s: of %i, %s, %i messages are sent', async (_, head, code, sent) => {
    const { store, channel, plant } = await openSetup();
    await plant(toFailureKey('one', second, head, code), '{}');
    const alerts = { channels: [channel], clock: systemClock, link: () => '', signal: new AbortController().signal };
    const error = new MusterError('store-unsuited' satisfies ErrorCode, 'The store does not lock.');
    const failed = { agent: 'Agent', slot: second, error, store, timeLimit: 10_000 };
    await reportFailure(failed, alerts);
    expect(channel.taken).toHaveLength(sent);
    await reportFailure(failed, alerts);
    expect(channel.taken).toHaveLength(sent);
  });
});
