/**
 * What comes from outside may hold anything: a person's name, a key that an administrator put into a profile. Where it is
 * broken, no parser repeats a word of it, in an error, its causes, or on the terminal.
 */
import { createHash } from 'node:crypto';
import { inspect } from 'node:util';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { build, buildBinary } from 'plist';
import { expect, test } from 'vitest';
import { readSettings } from '../src/compose/read-settings.ts';
import { parsePayloads } from '../src/deployment/profile/payloads.ts';
import { decodeText, parseJson } from '../src/http/body.ts';
import { parseExemptions } from '../src/settings/exemptions-file.ts';
import { parseReportCsv, parseReportPage } from '../src/sources/intune/report.ts';
import { readZippedCsv } from '../src/sources/intune/zip.ts';
import { parseRoot } from '../src/sources/jamf/classic.ts';
import { readJamfErrorCode } from '../src/sources/jamf/client.ts';
import { parseInventoryPage } from '../src/sources/jamf/parse.ts';
import { parseAccount } from '../src/sources/jamf/scope.ts';
import { unpackJson, unpackLines } from '../src/storage/runs/pack.ts';
import { readManifest, readPointer } from '../src/storage/runs/records.ts';
import { captureOutput } from './capture-output.ts';
import { wrapInSignature } from './deployment/signed-profile.ts';
import { archiveOf } from './sources/intune/archive.ts';

/** Short, so that an excerpt of what is around it holds it whole. */
const canary = 'canary7';
const who = 'Jamf Pro "macs"';

const written = captureOutput();

const answer = (body: Buffer) => ({ status: 200, headers: new Headers(), body });
const textOf = (body: Buffer) => body.toString('utf8');

const profile = {
  PayloadType: 'Configuration',
  PayloadContent: [{ PayloadType: canary, [canary]: `${canary} & more`, Data: Buffer.from(canary), List: [1, true] }],
};
const json = {
  [canary]: canary,
  results: [{ id: canary, name: canary }],
  totalCount: canary,
  errors: [{ code: canary }],
};
const csv = `DeviceId,InstallState\n"${canary}",1\n${canary},"3"\n`;
const yaml = `sources:\n  - { name: ${canary}, platform: jamf, url: "https://${canary}" }\nstore: "./${canary}"\n? { ${canary}: 1 }\n: 2\n`;
const exemptions = `match,value,source,reason,owner,expires\nserial,"${canary}",,${canary},"${canary}",2027-01-01\n`;
const xml = `<?xml version="1.0"?><policy><id>1</id><name>${canary}</name><p a="${canary}">${canary}</p><!-- ${canary} --></policy>`;

const parsers: readonly (readonly [string, Buffer, (body: Buffer) => unknown])[] = [
  ['JSON of a platform', Buffer.from(JSON.stringify(json)), (body) => parseJson(answer(body), who)],
  [
    'a page of computers',
    Buffer.from(JSON.stringify(json)),
    (body) => parseInventoryPage(parseJson(answer(body), who), who, { name: 'Agent Status' }),
  ],
  ['an account', Buffer.from(JSON.stringify({ account: json })), (body) => parseAccount(parseJson(answer(body), who))],
  ['an error of Jamf Pro', Buffer.from(JSON.stringify(json)), (body) => readJamfErrorCode(answer(body))],
  ['text', Buffer.from(canary), (body) => decodeText(answer(Buffer.concat([body, Buffer.from([0xff])])), who)],
  ['XML of the Classic API', Buffer.from(xml), (body) => parseRoot(textOf(body), 'policy', who)],
  ['a profile in XML', Buffer.from(build(profile)), (body) => parsePayloads(textOf(body))],
  [
    'a profile with escaped entities',
    Buffer.from(build(profile).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')),
    (body) => parsePayloads(textOf(body)),
  ],
  ['a binary profile', Buffer.from(buildBinary(profile)), (body) => parsePayloads(body.toString('base64'))],
  ['a signed profile', wrapInSignature(build(profile)), (body) => parsePayloads(body.toString('base64'))],
  ['a CSV report', Buffer.from(csv), (body) => parseReportCsv([body], who)],
  [
    'a page of a report',
    Buffer.from(JSON.stringify({ TotalRowCount: 1, Schema: [{ Column: canary }], Values: [[canary]] })),
    (body) => parseReportPage(parseJson(answer(body), who), who),
  ],
  [
    'a zip archive',
    archiveOf({ content: Buffer.from(csv), name: `${canary}.csv` }),
    (body) => Array.fromAsync(readZippedCsv(body, who)),
  ],
  [
    'a zip archive whose name climbs',
    archiveOf({ content: Buffer.from(csv), name: `../${canary}.csv` }),
    (body) => Array.fromAsync(readZippedCsv(body, who)),
  ],
  ['the settings', Buffer.from(yaml), (body) => readYaml(textOf(body))],
  ['the exemptions', Buffer.from(exemptions), (body) => parseExemptions(textOf(body), 'exemptions.csv')],
  ['stored JSON', Buffer.from(JSON.stringify(json)), (body) => unpackJson(gzipSync(body), 'facts')],
  [
    'stored lines',
    Buffer.from(`${JSON.stringify(json)}\n`),
    (body) => Array.fromAsync(unpackLines(gzipSync(body), 'facts')),
  ],
  ['packed JSON', gzipSync(JSON.stringify(json)), (body) => unpackJson(body, 'facts')],
  ['a pointer', Buffer.from(JSON.stringify({ ...json, schema: 1 })), (body) => readPointer(body, 'latest.json')],
  ['a manifest', Buffer.from(JSON.stringify({ ...json, schema: 1 })), (body) => readManifest(body, 'manifest.json')],
];

test.each(parsers)('%s, broken in 400 ways: nothing of it is repeated', async (_what, body, parse) => {
  const shown: string[] = [];
  let refused = 0;
  for (const broken of breakInManyWays(body)) {
    try {
      refused += (await parse(broken)) === undefined ? 1 : 0;
    } catch (error) {
      refused += 1;
      shown.push(inspect(error, { depth: 20, showHidden: true, maxStringLength: null }));
    }
  }
  expect(refused).toBeGreaterThan(10);
  expect([...shown, ...written].filter((text) => text.includes(canary))).toEqual([]);
  expect(written).toEqual([]);
});

/** YAML that is broken is a list of problems; what YAML can be read is quoted where it names a setting that there is not. */
function readYaml(text: string): unknown {
  const { problems } = readSettings(text);
  const syntax = problems.filter((problem) => /line \d+, column|YAML/.test(problem));
  if (syntax.length > 0) {
    throw new Error(syntax.join('\n'));
  }
  return problems;
}

/** Cut, with a character too many, and with one changed: at places all over the body. */
function* breakInManyWays(body: Buffer): Generator<Buffer> {
  const places = 100;
  const wild = ['<', '>', '&', '"', "'", '{', '}', '[', ':', '\\', '\n', '\0', '\t', '%', '@', '*', '!', ',', '\u00ff'];
  for (let place = 0; place < places; place += 1) {
    const at = Math.floor((place * body.length) / places);
    const extra = Buffer.from(
      wild[createHash('sha256').update(String(place)).digest().readUInt8(0) % wild.length] ?? '',
    );
    yield body.subarray(0, at);
    yield body.subarray(at);
    yield Buffer.concat([body.subarray(0, at), extra, body.subarray(at)]);
    yield Buffer.concat([body.subarray(0, at), extra, body.subarray(at + 1)]);
  }
}

test('a compressed member that is no deflate stream is named without what it holds', async () => {
  const content = Buffer.from(csv);
  const archive = archiveOf({ content, name: `${canary}.csv` });
  const packed = deflateRawSync(content);
  archive.fill(0x07, archive.indexOf(packed), archive.indexOf(packed) + packed.length);
  const error: unknown = await Array.fromAsync(readZippedCsv(archive, who)).catch((failure: unknown) => failure);
  expect(error).toMatchObject({ code: 'zip-broken' });
  expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(canary);
});
