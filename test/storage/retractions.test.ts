/** The record of a retraction: how it is written and found, and what it leaves to the next run. */
import { describe, expect, test } from 'vitest';
import { computeSha256 } from '../../src/base/sha256.ts';
import type { AlertState } from '../../src/core/facts/remembered.ts';
import type { RetractedFinding } from '../../src/core/facts/state.ts';
import type { OutboxMessage } from '../../src/storage/runs/outbox-record.ts';
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
const message: OutboxMessage = { channel: 'soc', part: 2, key: 'k', slot: first, attempt: 'a', payload: { text: 'x' } };
const device = { id: '1', operatingSystem: 'macos', answers: [] };
const finding = (source: string): RetractedFinding => ({ source, kind: 'jamf', device });
const alert = (key: string): AlertState => ({ key, kind: 'device.lost', since: first, last: first });
const none = { messages: [], resolved: [], findings: [] };

/** The retraction of a slot, for the first run. */
async function retract(store: Store, slot: string, record: Partial<Parameters<typeof writeRetractionRecord>[3]>) {
  const attempt = await writeRetractionRecord(store, slot, at, { ...none, ...record });
  return writeCommit(store, slot, { kind: 'retraction', attempt, stands: 1, by: 'ada', why: 'wrong clock' });
}

describe('the record of a retraction', () => {
  test('is named after its SHA-256, and its messages are of its slot and attempt', async () => {
    const store = makeStore();
    const record = { messages: [message], resolved: ['device:1'], findings: [finding('macs')] };
    const { commit, sha256 } = await retract(store, second, record);
    const { attempt } = commit;
    const body = await store.read(`runs/${second}/${attempt}/outbox.json`);
    expect(attempt).toBe(`20261102T060000000Z-${computeSha256(body ?? Buffer.alloc(0))}`);
    const stored = { channel: 'soc', part: 2, payload: { text: 'x' } };
    expect(JSON.parse(`${body}`)).toEqual({ schema: 1, ...record, messages: [stored] });
    const key = `muster/${second}/${attempt}/soc-2`;
    expect(await readRetractionRecord(store, { commit, sha256 })).toEqual({
      ...{ schema: 1, ...record },
      messages: [{ ...stored, slot: second, attempt, key }],
    });
  });

  test('may be written by two at once, and is refused where the store refuses it', async () => {
    const store = makeStore();
    const write = (on: Store) => writeRetractionRecord(on, second, at, none);
    const attempt = await write(store);
    expect(await write(store)).toBe(attempt);
    const full = new Error('no space');
    await expect(write({ ...makeStore(), create: () => Promise.reject(full) })).rejects.toBe(full);
  });
});

describe('what the run that stands left', () => {
  test('is without alerts that retracted runs had resolved, and with what these opened; a damaged record stops nobody', async () => {
    const store = makeStore();
    const state = packStateHead({
      told: ['device:1', 'device:2', 'device:3'].map(alert),
      retractedFindings: [finding('before')],
    });
    await writeCommit(store, first, { files: { 'state.json.gz': state } });
    await retract(store, second, { resolved: ['device:1'], findings: [finding('macs')] });
    const { commit } = await retract(store, third, { resolved: ['device:2'], findings: [finding('lost')] });
    await retract(store, third, { resolved: ['device:3'], findings: [finding('windows')] });
    await store.put(toRecordKey(third, commit.attempt), Buffer.from('damaged'));
    const left = await readCurrentStateHead(store, await readRunThatStands(store));
    expect(left.told?.map(({ key }) => key)).toEqual(['device:2']);
    expect(left.retractedFindings?.map(({ source }) => source)).toEqual(['before', 'macs', 'windows']);
  });

  test('is not changed where nothing was retracted, or by a retraction that leaves nothing', async () => {
    const store = makeStore();
    await writeCommit(store, first, { files: { 'state.json.gz': packStateHead() } });
    const left = { schema: 4, slot: first, sources: [], published: [], history: [] };
    const read = async () => {
      const current = await readRunThatStands(store);
      return [await readCurrentState(store, current), await readCurrentStateHead(store, current)];
    };
    expect(await read()).toStrictEqual([left, left]);
    await retract(store, second, {});
    expect(await read()).toStrictEqual([left, left]);
  });
});
