/** The facts of a run as files: what is read back, and in which words anything else is refused. */
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { packJson } from '../../src/storage/runs/pack.ts';
import {
  listFactsRows,
  readFacts,
  readSourceFacts,
  streamChecked,
  toFactsHead,
} from '../../src/storage/runs/run-files.ts';
import { first, makeStore, writeCommit } from './written-runs.ts';

const [night, devices, carried, listed] = [
  ...['night.json.gz', 'macs.ndjson.gz', 'carried/macs.ndjson.gz', 'lists/expected.ndjson.gz'],
].map((name) => `facts/${name}`) as [string, string, string, string];
const device = { id: '1', operatingSystem: 'macos', answers: [] };
const rows = [
  { facts: device, answeredOn: '2026-10-30' },
  { facts: { ...device, id: '2' }, answeredOn: '2026-10-29', unread: true },
  { facts: { ...device, id: '3' }, unread: true },
];
const head = {
  ...{ schema: 5, slot: first, sources: [{ name: 'macs', kind: 'jamf', carried: { slot: '2026-10-30' } }] },
  lists: { expected: { readAt: first, files: [], rows: [] } },
};
const packLines = (...lines: unknown[]) => gzipSync(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));

async function writeFacts(changed: Readonly<Record<string, Buffer>> = {}, lost = '') {
  const store = makeStore();
  const lines = { [devices]: packLines(device), [carried]: packLines(...rows), [listed]: packLines({ serial: 'a' }) };
  const files = { [night]: packJson(head), ...lines };
  const named = Object.entries({ ...files, ...changed }).filter(([name]) => name !== lost);
  return { store, run: await writeCommit(store, first, { files: Object.fromEntries(named) }) };
}

test('facts are read back from a head and rows beside it, and are written as these', async () => {
  const { store, run } = await writeFacts();
  const facts = await readFacts(store, run);
  const sources = [{ devices: [device], carried: { slot: '2026-10-30', rows } }];
  expect(facts).toMatchObject({ sources, lists: { expected: { rows: [{ serial: 'a' }] } } });
  expect(toFactsHead(facts)).toStrictEqual(head);
  expect(listFactsRows(facts)).toEqual([
    [devices, [device]],
    [carried, rows],
    [listed, [{ serial: 'a' }]],
  ]);
  expect(await readSourceFacts(store, run, { name: 'macs', kind: 'jamf' })).toEqual(facts.sources[0]);
  expect(await readSourceFacts(store, run, { name: 'macs', kind: 'intune' })).toBeUndefined();
  const { lists: _, ...without } = head;
  const other = await writeFacts({ [night]: packJson(without) });
  expect(toFactsHead(await readFacts(other.store, other.run))).toStrictEqual(without);
});

test.each([
  [night, packJson({ ...head, sources: [{}] }), 'store-damaged', 'it has not the shape of facts'],
  [
    night,
    packJson({ ...head, sources: [{ name: 'macs', carried: {} }] }),
    'store-damaged',
    'it has not the shape of facts',
  ],
  [night, packJson({ ...head, schema: 6 }), 'store-newer', 'was written by a newer Muster'],
  [night, packJson({ ...head, schema: 3 }), 'store-older', '\\(schema 3; this one knows 5\\)'],
  [carried, packLines(device), 'store-damaged', 'it has not the shape of facts'],
  [carried, packLines({ ...rows[0], answeredOn: 1 }), 'store-damaged', 'it has not the shape of facts'],
  [carried, packLines({ ...rows[0], unread: false }), 'store-damaged', 'it has not the shape of facts'],
  [devices, packLines(device, { id: 1 }), 'store-damaged', 'it has not the shape of facts'],
  [listed, packLines({ serial: 'a', note: 1 }), 'store-damaged', 'it has not the shape of facts'],
  [listed, packLines('a'), 'store-damaged', 'it has not the shape of facts'],
])('facts with another %s are refused: %o, %s, %s', async (name, body, code, why) => {
  const { store, run } = await writeFacts({ [name]: body });
  const message = expect.stringMatching(new RegExp(`^runs/${first}/a/${name} .*${why}`));
  await expect(readFacts(store, run)).rejects.toMatchObject({ code, message });
});

test('a file is refused that the commit does not name, that is gone, or that is not what was published', async () => {
  const nameless = await writeFacts({}, devices);
  const read = () => readFacts(nameless.store, nameless.run);
  await expect(read()).rejects.toThrow(`commits/0000000001.json is damaged: it does not name ${devices}.`);
  const { store, run } = await writeFacts();
  const file = run.commit.files.find(({ key }) => key.endsWith(devices)) ?? { key: '', bytes: 0, sha256: '' };
  const pieces = await Array.fromAsync(streamChecked(store, file));
  expect(Buffer.concat(pieces)).toEqual(packLines(device));
  await store.put(file.key, packLines({ ...device, id: '2' }));
  const other = `${file.key} is damaged: its SHA-256 is not the one that was published.`;
  await expect(readFacts(store, run)).rejects.toThrow(other);
  await expect(Array.fromAsync(streamChecked(store, file))).rejects.toThrow(other);
  await store.remove(file.key);
  await expect(readFacts(store, run)).rejects.toThrow(`${file.key} is damaged: it is missing from /store.`);
});
