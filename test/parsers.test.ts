/**
 * Hostile input for everything that Muster parses: a named error or the right answer, within bounds, not a word on the
 * terminal, and none of the input in an error or its causes: it may hold a person's name, or a key that an administrator
 * put into a profile. Some two hundred changes each here; `npm run test:deep` makes every cut and many more flips.
 */
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { deflateRawSync, gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { build } from 'plist';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MusterError } from '../src/base/errors.ts';
import { loadSettings } from '../src/compose/load-settings.ts';
import type { SharedSettings } from '../src/compose/settings-schema.ts';
import { parsePayloads } from '../src/deployment/profile/payloads.ts';
import { decodeText, parseJson } from '../src/http/body.ts';
import { runNight } from '../src/night.ts';
import { parsePeopleFile, readPeopleFile } from '../src/settings/people/people-files.ts';
import { parseReportCsv, parseReportPage } from '../src/sources/intune/report/rows.ts';
import { readZippedCsv } from '../src/sources/intune/report/zip.ts';
import { parseAccount } from '../src/sources/jamf/account.ts';
import { parseRoot } from '../src/sources/jamf/classic.ts';
import { readJamfErrorCode } from '../src/sources/jamf/client.ts';
import { parseClassicMemberIds } from '../src/sources/jamf/groups.ts';
import { parseInventoryPage } from '../src/sources/jamf/parse.ts';
import { parseCommit } from '../src/storage/commits/commit.ts';
import { readCurrentRun } from '../src/storage/commits/log.ts';
import { makeClaim, parseClaim, parseMark } from '../src/storage/deliveries/delivery-record.ts';
import { createFolderStore } from '../src/storage/folder/folder-store.ts';
import { toCommitKey, toMarkKey } from '../src/storage/keys.ts';
import { readRunEvents } from '../src/storage/runs/events-record.ts';
import { unpackJson, unpackLines } from '../src/storage/runs/pack.ts';
import { findRunFile } from '../src/storage/runs/run-files.ts';
import { readState } from '../src/storage/runs/run-state.ts';
import { stateFiles } from '../src/storage/runs/state-files.ts';
import type { Store } from '../src/storage/store.ts';
import { listener, partsWith } from './alerts/listeners.ts';
import { captureOutput } from './capture-output.ts';
import { changeEachObject, changesOfType } from './contracts/json-changes.ts';
import { wrapInSignature } from './deployment/signed-profile.ts';
import { fakeClock } from './http/loopback.ts';
import { companyOfAllTables, slots } from './night/small.ts';
import { isDeep } from './sampling.ts';
import { least, parseSettings } from './settings/least.ts';
import { archiveOf } from './sources/intune/archive.ts';
import { attribute, computer } from './sources/jamf/builders.ts';
import { memoryDisk } from './storage/disks.ts';

const seed = isDeep ? Date.now() : 20261122;
const who = 'A test';
/** Stands in most bodies; so short that an excerpt of what is around it holds it whole. */
const canary = 'canary7';

interface Parser {
  readonly name: string;
  readonly body: Buffer;
  parse(body: Buffer): unknown;
  /** What is cut may be shorter text of the same kind, which nobody can tell. */
  readonly isText?: true;
  /** A checksum shows every changed bit. */
  readonly isChecked?: true;
  /** Read only in the bytes that Muster writes. */
  readonly isExact?: true;
  /** Where it is JSON: how that is packed. */
  readonly form?: JsonForm;
}

interface JsonForm {
  unpack(body: Buffer): string;
  pack(json: string): Buffer;
}

const answer = (body: Buffer) => ({ status: 200, headers: {}, body });
const plain: JsonForm = { unpack: String, pack: (json) => Buffer.from(json) };
const gzipped: JsonForm = { unpack: (body) => gunzipSync(body).toString(), pack: (json) => gzipSync(json) };
const gzippedLine: JsonForm = {
  unpack: (body) => gunzipSync(body).toString().split('\n')[0] ?? '',
  pack: (json) => gzipSync(`${json}\n`),
};

const inventory = { totalCount: 2, results: [computer({ id: canary }), computer({ id: '959' })] };
const reportPage = {
  TotalRowCount: 2,
  Schema: ['DeviceId', 'InstallState', 'UserId'].map((Column) => ({ Column, PropertyType: 'String' })),
  Values: [
    [canary, 1, 'u'],
    ['b', 3, ''],
  ],
};
const csv = `DeviceId,InstallState,UserId\r\n"${canary}",1,u\r\n${canary},"3",\r\n`;
const xml = `<?xml version="1.0" encoding="UTF-8"?><computer_group><id>7</id><name>${canary} &amp; B</name><p a="${canary}"/><!-- ${canary} --><computers><size>2</size><computer><id>1</id></computer><computer><id>2</id></computer></computers></computer_group>`;
const profile = {
  PayloadType: 'Configuration',
  PayloadContent: [
    { PayloadType: canary, [canary]: 'a & b', Data: Buffer.from(canary), List: [1, true, canary], Date: new Date(0) },
  ],
};
const settings = `${least}policy: { staleAfterDays: 30, breaker: { minimumDevices: 10 } }
alerts: { channels: [{ type: slack, url: env:C, only: { severity: [error] } }] }
`;
const exemptions =
  'match,value,source,reason,owner,expires\nserial,"C02 ""X""",,canary7,it,2027-01-01\nuser,ada,macs,lab,canary7,2027-01-01\n';
const acknowledgements = 'serial,by,until,ticket,note\nC02X,ada,2027-01-01,T-1,"a, note"\n';
const notes = 'date,text\n2026-11-20,"moved, at last"\n2026-11-21,patch day\n';

const stored = await writeStore();

const parsers: readonly Parser[] = [
  {
    name: 'an inventory page',
    body: Buffer.from(JSON.stringify(inventory)),
    parse: (body) => parseInventoryPage(parseJson(answer(body), who), who, attribute),
    form: plain,
  },
  {
    name: 'a page of the synchronous report',
    body: Buffer.from(JSON.stringify(reportPage)),
    parse: (body) => parseReportPage(parseJson(answer(body), who), who),
    form: plain,
  },
  {
    name: 'an export’s CSV',
    body: Buffer.from(csv),
    parse: (body) => parseReportCsv([body], who),
    isText: true,
  },
  {
    name: 'an export’s archive',
    body: archiveOf({ content: Buffer.from(csv) }),
    parse: (body) => Array.fromAsync(readZippedCsv(body, who)),
    isChecked: true,
  },
  {
    name: 'an account',
    body: Buffer.from(JSON.stringify({ account: { username: canary, accessLevel: 'FullAccess' } })),
    parse: (body) => parseAccount(parseJson(answer(body), who)),
    form: plain,
  },
  {
    name: 'an error of Jamf Pro',
    body: Buffer.from(
      JSON.stringify({ httpStatus: 403, errors: [{ code: 'INVALID_PRIVILEGE', description: canary }] }),
    ),
    parse: (body) => readJamfErrorCode(answer(body)),
    isText: true,
  },
  {
    name: 'XML of the Classic API',
    body: Buffer.from(xml),
    parse: (body) => parseClassicMemberIds(parseRoot(decodeText(answer(body), who), 'computer_group', who), who),
  },
  ...profiles(),
  { name: 'the settings', body: Buffer.from(settings), parse: (body) => parseSettings(body.toString()), isText: true },
  {
    name: 'the exemptions',
    body: Buffer.from(exemptions),
    parse: (body) => parsePeopleFile('exemptions', body, 'x.csv'),
    isText: true,
  },
  {
    name: 'the acknowledgements',
    body: Buffer.from(acknowledgements),
    parse: (body) => parsePeopleFile('acknowledged', body, 'x.csv'),
    isText: true,
  },
  {
    name: 'the notes',
    body: Buffer.from(notes),
    parse: (body) => parsePeopleFile('notes', body, 'x.csv'),
    isText: true,
  },
  {
    name: 'a commit',
    body: stored.commit,
    parse: (body) => parseCommit(body, 'commits/'),
    isExact: true,
    form: plain,
  },
  { name: 'a state', body: stored.state, parse: stored.readState, isChecked: true, form: gzipped },
  {
    name: 'a ledger, an entry a line',
    body: stored.ledger,
    parse: stored.readLedger,
    isChecked: true,
    form: gzippedLine,
  },
  {
    name: 'packed JSON',
    body: gzipSync(JSON.stringify({ [canary]: canary })),
    parse: (body) => unpackJson(body, 'facts'),
    isChecked: true,
    form: gzipped,
  },
  {
    name: 'facts, a line each',
    body: stored.facts,
    parse: (body) => Array.fromAsync(unpackLines(body, 'facts')),
    isChecked: true,
    form: gzippedLine,
  },
  { name: 'the events of a run', body: stored.events, parse: stored.readEvents, form: plain },
  { name: 'a mark', body: stored.mark, parse: async (body) => parseMark(body, 'mark'), form: plain },
  { name: 'a claim', body: stored.claim, parse: async (body) => parseClaim(body, 'claim'), form: plain },
];

/** Undefined is the profile's way to say that a text is no property list: what is checked of it is then unknown. */
function profiles(): Parser[] {
  const forms: readonly (readonly [string, string])[] = [
    ['XML', build(profile)],
    ['XML, escaped once more', build(profile).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')],
    ['a signed message', wrapInSignature(build(profile)).toString('base64')],
  ];
  return forms.map(([form, text]) => ({
    name: `a profile as ${form}`,
    body: Buffer.from(text),
    parse(body) {
      return parsePayloads(body.toString()) ?? refuse();
    },
    isText: true,
  }));
}

function refuse(): never {
  throw new MusterError('answer-unreadable', 'It is no property list.');
}

/** Two runs of a small company, and its files as they are stored, each read through the run that names it. */
async function writeStore() {
  const store = createFolderStore('/store', memoryDisk());
  const made = companyOfAllTables();
  for (const slot of slots.slice(0, 2)) {
    await runNight(made.order(slot), partsWith(made, store, [listener('one')], fakeClock()));
  }
  const run = await readCurrentRun(store);
  if (run === undefined) {
    throw new Error('nothing was published');
  }
  const keyOf = (name: string) => findRunFile(run, name)?.key ?? '';
  const bodyOf = async (key: string) => (await store.read(key)) ?? Buffer.alloc(0);
  /** As if these bytes had been published: only then are they parsed. */
  const withBytes = (name: string, body: Buffer) => {
    const key = keyOf(name);
    const sha256 = createHash('sha256').update(body).digest('hex');
    const files = run.commit.files.map((file) => (file.key === key ? { ...file, sha256 } : file));
    const changed: Store = {
      ...store,
      read: async (one) => (one === key ? body : store.read(one)),
    };
    return { changed, run: { ...run, commit: { ...run.commit, files } } };
  };
  return {
    commit: await bodyOf(toCommitKey(run.commit.number)),
    state: await bodyOf(keyOf(stateFiles.next.head)),
    facts: await bodyOf(keyOf('facts/macs.ndjson.gz')),
    events: await bodyOf(keyOf('events.json')),
    mark: await bodyOf(toMarkKey('one', run.commit.number)),
    claim: await makeClaim({ name: 'one' }, { first: 1, last: run }, new Date(0), undefined),
    ledger: await bodyOf(keyOf(stateFiles.next.ledger)),
    readState(body: Buffer) {
      const { changed, run: named } = withBytes(stateFiles.next.head, body);
      return readState(changed, named);
    },
    readLedger(body: Buffer) {
      const { changed, run: named } = withBytes(stateFiles.next.ledger, body);
      return readState(changed, named);
    },
    readEvents(body: Buffer) {
      const { changed, run: named } = withBytes('events.json', body);
      return readRunEvents(changed, named);
    },
  };
}

const written = captureOutput();

/** Nothing was printed, and no object has a property that it had not before. */
function expectClean(): void {
  expect(written).toEqual([]);
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect(Object.prototype).not.toHaveProperty('polluted');
}

const refused = Symbol('refused');

/** What a parser says, or that it refused by name; everything else fails the test. */
async function attempt(parser: Parser, body: Buffer): Promise<unknown> {
  try {
    return await parser.parse(body);
  } catch (error) {
    if (error instanceof MusterError && error.code !== 'unexpected') {
      expect(inspect(error, { depth: 20, showHidden: true, maxStringLength: null })).not.toContain(canary);
      return refused;
    }
    throw new Error(`${parser.name}: not a named error for ${inspect(body.subarray(0, 200).toString('latin1'))}`, {
      cause: error,
    });
  }
}

describe.each(parsers)('$name', (parser) => {
  const { body, isText = false, isChecked = false, isExact = false, form } = parser;

  test('is read whole', async () => {
    expect(await attempt(parser, body)).not.toBe(refused);
    expectClean();
  });

  test('cut at every byte: refused, or whole [H12, J7, X7, X11]', async () => {
    const whole = await parser.parse(body);
    const step = isDeep ? 1 : Math.max(1, Math.floor(body.length / 125));
    for (let length = 0; length < body.length; length += step) {
      const value = await attempt(parser, body.subarray(0, length));
      if (value !== refused && !isText) {
        expect(value, `${length} of ${body.length} bytes`).toEqual(whole);
      }
    }
    expectClean();
  });

  test('with bits flipped: refused, or read [X9]', async () => {
    const whole = await parser.parse(body);
    const bits = fc.array(fc.nat(body.length * 8 - 1), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(bits, async (flips) => {
        const value = await attempt(parser, flipBits(body, flips));
        if (value !== refused && isChecked) {
          expect(value).toEqual(whole);
        }
      }),
      { numRuns: isDeep ? 10_000 : 30, seed },
    );
    expectClean();
  });

  test('with bytes put in, taken out, repeated and exchanged: refused, or read', async () => {
    const wild = fc.constantFrom(...['<', '>', '&', '"', '{', '[', ',', '\\', '\n', '\0', '\xff', '*', ': ', '\ufeff']);
    const change = fc.tuple(fc.nat(body.length), fc.nat(40), wild, fc.constantFrom('in', 'out', 'again', 'other'));
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        await attempt(parser, changes.reduce(changeBytes, body));
      }),
      { numRuns: isDeep ? 5_000 : 20, seed },
    );
    expectClean();
  });

  test('of one character again and again: refused, or read', async () => {
    for (const fill of ['x', '<', '[', '"', ' ']) {
      await attempt(parser, Buffer.alloc(isDeep ? 5_000_000 : 50_000, fill));
    }
    expectClean();
  });

  if (form !== undefined) {
    const json: unknown = JSON.parse(form.unpack(body));
    const attemptJson = (value: unknown) => attempt(parser, form.pack(JSON.stringify(value)));

    test('with every value of another type: refused, or read [P7]', async () => {
      for (const { change } of changesOfType(json)) {
        await attemptJson(change(json));
      }
      expectClean();
    });

    test('nested 100,000 deep: refused, or read [H30]', async () => {
      const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
      const nested = JSON.stringify({ ...Object(json), unused: 'nest' }).replace('"nest"', deep);
      for (const text of [deep, nested]) {
        await attempt(parser, form.pack(text));
      }
      expectClean();
    });

    test('with keys of every object’s prototype: as without them, or refused where every byte counts [H29]', async () => {
      const more = (object: Readonly<Record<string, unknown>>) =>
        Object.fromEntries([
          ['__proto__', { polluted: true }],
          ['constructor', { prototype: { polluted: true } }],
          ...Object.entries(object),
        ]);
      expect((await attemptJson(changeEachObject(json, more))) === refused).toBe(isExact);
      expectClean();
    });

    test('not in UTF-8: refused [H14]', async () => {
      const text = Buffer.from(`${form.unpack(body)}\n`);
      const at = text.indexOf(':"') + 2;
      const broken = Buffer.concat([text.subarray(0, at), Buffer.from([0xff]), text.subarray(at)]);
      expect(await attempt(parser, form === plain ? broken : gzipSync(broken))).toBe(refused);
      expectClean();
    });
  }
});

function flipBits(body: Buffer, bits: readonly number[]): Buffer {
  const flipped = Buffer.from(body);
  for (const bit of bits) {
    flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  }
  return flipped;
}

function changeBytes(
  body: Buffer,
  [at, length, wild, how]: readonly [at: number, length: number, wild: string, how: string],
): Buffer {
  const [before, here, after] = [body.subarray(0, at), body.subarray(at, at + length), body.subarray(at + length)];
  const extra = Buffer.from(wild, wild === '\xff' ? 'latin1' : 'utf8');
  switch (how) {
    case 'in':
      return Buffer.concat([before, extra, here, after]);
    case 'out':
      return Buffer.concat([before, after]);
    case 'again':
      return Buffer.concat([before, here, here, after]);
    default:
      return Buffer.concat([before, extra, after]);
  }
}

describe('bombs', () => {
  test('a member that is no deflate stream: refused, without what it holds', async () => {
    const content = Buffer.from(csv);
    const archive = archiveOf({ content, name: `${canary}.csv` });
    const packed = deflateRawSync(content);
    archive.fill(0x07, archive.indexOf(packed), archive.indexOf(packed) + packed.length);
    const error: unknown = await Array.fromAsync(readZippedCsv(archive, who)).catch((failure: unknown) => failure);
    expect(error).toMatchObject({ code: 'zip-broken' });
    expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(canary);
  });

  test('an archive whose member is larger than it says: refused [X8, X10]', async () => {
    const archive = archiveOf({ content: Buffer.alloc(20_000_000), declaredSize: 1_000 });
    await expect(readZippedCsv(archive, who).next()).rejects.toMatchObject({ code: 'zip-broken' });
  });
});

describe('a file of people in which a character is broken', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'muster-latin1-'));
    const broken = (text: string) =>
      Buffer.concat([Buffer.from(text), Buffer.from('J\u00fcrgen \u00fc').subarray(0, -1)]);
    await writeFile(join(folder, 'exemptions.csv'), broken(exemptions));
    await writeFile(join(folder, 'acknowledged.csv'), broken(acknowledgements));
    await writeFile(join(folder, 'muster.yaml'), Buffer.from(`${settings}# \u00fc\n`, 'latin1'));
  });
  afterAll(() => rm(folder, { recursive: true }));
  const named = { exemptions: 'exemptions.csv', acknowledged: 'acknowledged.csv' } as unknown as SharedSettings;

  test.each<[string, string, () => Promise<unknown>]>([
    ['exemptions', 'exemptions-unreadable', () => readPeopleFile('exemptions', named, folder)],
    ['acknowledgements', 'acknowledgements-unreadable', () => readPeopleFile('acknowledged', named, folder)],
    ['settings', 'settings-invalid', () => loadSettings(join(folder, 'muster.yaml'), {}, 'none')],
  ])('is refused, and not repaired: %s [H14, K1]', async (_what, code, read) => {
    await expect(read()).rejects.toMatchObject({ code, message: expect.stringContaining('save it as UTF-8') });
  });
});
