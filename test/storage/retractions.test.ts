/** The record of a retraction: how it is written and found, and what it leaves to the next run. */
import { expect, test } from 'vitest';
import { computeSha256 } from '../../src/base/sha256.ts';
import type { AlertState } from '../../src/core/facts/remembered.ts';
import type { RetractedFinding } from '../../src/core/facts/state.ts';
import type { OutboxMessage } from '../../src/storage/runs/outbox-record.ts';
import { packLines } from '../../src/storage/runs/pack.ts';
import {
  readCurrentState,
  readCurrentStateHead,
  readRetractionRecord,
  toRecordKey,
  writeRetractionRecord,
} from '../../src/storage/runs/retractions.ts';
import type { Store } from '../../src/storage/store.ts';
import { first, makeStore, packStateHead, readRunThatStands, second, third, writeCommit } from './written-runs.ts';

const at = new Date('2026-11-02T06:00:00Z');
const message: OutboxMessage = { channel: 'soc', part: 2, key: 'k', slot: first, attempt: 'a', payload: 'x' };
const finding = (machine: string): RetractedFinding => ({
  ...{ machine, source: 'macs', kind: 'jamf', operatingSystem: 'macos', device: { id: '1' } },
});
const alert = (key: string): AlertState => ({ key, kind: 'device.lost', since: first, last: first });
const none = { messages: [], resolved: [], findings: [] };

/** The retraction of a slot, for the first run. */
async function retract(store: Store, slot: string, record: Partial<Parameters<typeof writeRetractionRecord>[3]>) {
  const attempt = await writeRetractionRecord(store, slot, at, { ...none, ...record });
  return writeCommit(store, slot, { kind: 'retraction', attempt, stands: 1, by: 'ada', why: 'wrong clock' });
}

test('a record is named after its SHA-256, and its messages are of its slot and attempt', async () => {
  const store = makeStore();
  const record = { messages: [message], resolved: ['device:1'], findings: [finding('macs')] };
  const retraction = await retract(store, second, record);
  const { attempt } = retraction.commit;
  const body = (await store.read(`runs/${second}/${attempt}/outbox.json`)) ?? Buffer.alloc(0);
  expect(attempt).toBe(`20261102T060000000Z-${computeSha256(body)}`);
  const [stored, key] = [{ channel: 'soc', part: 2, payload: 'x' }, `muster/${second}/${attempt}/soc-2`];
  expect(JSON.parse(body.toString())).toEqual({ schema: 1, ...record, messages: [stored] });
  const messages = [{ ...stored, slot: second, attempt, key }];
  expect(await readRetractionRecord(store, retraction)).toEqual({ schema: 1, ...record, messages });
});

test('a record may be written by two at once, and is not written where the store refuses it', async () => {
  const store = makeStore();
  const write = (on: Store) => writeRetractionRecord(on, second, at, none);
  expect(await write(store)).toBe(await write(store));
  const full = new Error('no space');
  await expect(write({ ...makeStore(), create: () => Promise.reject(full) })).rejects.toBe(full);
});

test('a state is read without alerts that retracted runs resolved, and with findings that they opened; a damaged record stops nobody', async () => {
  const store = makeStore();
  const told = ['device:1', 'device:2', 'device:3'].map(alert);
  const state = packStateHead({ told, retractedFindings: [finding('before')] });
  await writeCommit(store, first, { files: { 'state.json.gz': state } });
  await retract(store, second, { resolved: ['device:1'], findings: [finding('macs')] });
  const { commit } = await retract(store, third, { resolved: ['device:2'], findings: [finding('lost')] });
  await retract(store, third, { resolved: ['device:3'], findings: [finding('windows')] });
  await store.put(toRecordKey(third, commit.attempt), Buffer.from('damaged'));
  const left = await readCurrentStateHead(store, await readRunThatStands(store));
  expect(left.told).toEqual([alert('device:2')]);
  expect(left.retractedFindings).toEqual(['before', 'macs', 'windows'].map(finding));
});

test('a state is read as it is where nothing was retracted, and after a retraction that leaves nothing', async () => {
  const store = makeStore();
  const ledger = await Array.fromAsync(packLines([]));
  const files = { 'state.json.gz': packStateHead(), 'ledger.ndjson.gz': Buffer.concat(ledger) };
  await writeCommit(store, first, { files });
  for (const stage of ['nothing', 'a retraction']) {
    const current = await readRunThatStands(store);
    const left = [await readCurrentState(store, current), await readCurrentStateHead(store, current)];
    const head = { schema: 5, slot: first, sources: [], sharedNumbers: [], published: [], history: [] };
    expect(left, stage).toStrictEqual([{ ...head, ledger: [] }, head]);
    await retract(store, second, {});
  }
});
