/** Files as spreadsheets save them, in real runs: exempt devices stay exempt, and a row that is not understood is named. */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../../simulator/simulator.ts';
import { muster, musterHere } from './muster.ts';

const slot = '2026-03-01';
const settings = 'exemptions: exemptions.csv\nacknowledged: acknowledged.csv\nnotes: notes.csv\n';

let simulator: Simulator;
let folder: string;
let serials: readonly string[];

beforeAll(async () => {
  simulator = await startSimulator({ devices: 40, seed: 7, moment: new Date(`${slot}T05:15:00Z`) });
  folder = await mkdtemp(join(tmpdir(), 'muster-people-'));
  await writeFile(join(folder, 'muster.yaml'), simulator.settings());
  await musterHere(['run', '--slot', slot], { folder, environment: simulator.environment });
  serials = readTable('not-installed').flatMap(({ serial_number }) => serial_number ?? []);
  await rm(folder, { recursive: true });
});
afterAll(() => simulator.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-people-'));
  await writeFile(join(folder, 'muster.yaml'), simulator.settings() + settings);
});
afterEach(() => rm(folder, { recursive: true }));

function readTable(name: string): Record<string, string>[] {
  const [header = '', ...lines] = readFileSync(join(folder, 'muster-data/latest', `${name}.csv`), 'utf8')
    .trimEnd()
    .split('\n');
  const titles = header.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, index) => [titles[index] ?? '', cell])));
}

async function writeFiles(files: Readonly<Record<'exemptions' | 'acknowledged' | 'notes', string | Buffer>>) {
  for (const [name, body] of Object.entries(files)) {
    await writeFile(join(folder, `${name}.csv`), body);
  }
}

const sound = {
  acknowledged: 'serial,by,until\n',
  notes: 'date,text\n',
};

test('a run reads them with semicolons, in UTF-16 and in Windows-1252, with capitals, more columns and emptied rows [M2, M3]', async () => {
  const [first = '', second = '', third = ''] = serials;
  await writeFiles({
    exemptions: `Match;Value;Source;Reason;Owner;Expires;Asked by\r\nserial;${first};;lab;it;31.12.2026;Ada\r\n;;;;;;\r\nserial;${second};;lab;it;01/02/2027;Ada\r\n`,
    acknowledged: Buffer.from(`\ufeffSerial\tBy\tUntil\n${third}\tJürgen\t12/31/2026\n\t\t\n`, 'utf16le'),
    notes: Buffer.from('Date,Text\n3.2.2026,Umzug nach München\n4/5/2026,x\n,\n', 'latin1'),
  });
  const { code } = await muster(['run', '--slot', slot], { folder, environment: simulator.environment });
  expect(code).toBe(0);
  expect(readTable('exemptions').map(({ value, expires, result }) => [value, expires, result])).toEqual([
    [first, '2026-12-31', 'active'],
    [second, '01/02/2027', 'invalid'],
  ]);
  const report = JSON.parse(readFileSync(join(folder, 'muster-data/latest/report.json'), 'utf8'));
  expect(report.acknowledgements).toMatchObject([
    { serial: third, by: 'Jürgen', until: '2026-12-31', result: 'active' },
  ]);
  expect(report.ignoredNotes).toEqual([
    'line 3: date is "4/5/2026", which can mean 2026-04-05 or 2026-05-04; write one of these',
  ]);
  const page = readFileSync(join(folder, 'muster-data/latest/index.html'), 'utf8');
  expect(page).toContain('Ignored in the notes file: ');
});

test('“check” names each row that is not understood by its line, in all three [M2]', async () => {
  await writeFiles({
    exemptions: 'match,value,source,reason,owner,expires\n,,,,,\nserial,"X"y,,lab,it,2027-01-01\n',
    acknowledged: 'serial,by,until\nX,ada,1/2/2027\n',
    notes: 'date,text\nsoon,x\n',
  });
  const { code, errors } = await musterHere(['check'], { folder, environment: simulator.environment });
  expect(code).toBe(2);
  expect(errors).toContain('line 3: a closing quote is followed by something other than a separator.');
  expect(errors).toContain('line 2: until is "1/2/2027", which can mean 2027-01-02 or 2027-02-01; write one of these.');
  expect(errors).toContain('line 2: date is "soon"; it must be a date such as 2026-12-31.');
});

test('“check” says calmly that a file of exemptions has no row', async () => {
  await writeFiles({ ...sound, exemptions: 'match,value,source,reason,owner,expires\n' });
  const { output } = await musterHere(['check'], { folder, environment: simulator.environment });
  expect(output).toContain('\nExemptions: exemptions.csv has no row below its header, so that no device is exempt.\n');
});

test('a run fails where most of its exemptions are not understood: nobody stops being exempt from missing data [M2]', async () => {
  const rows = serials.slice(0, 11).map((serial) => `serial,${serial},,lab,it,01/02/2027\n`);
  await writeFiles({ ...sound, exemptions: `match,value,source,reason,owner,expires\n${rows.join('')}` });
  const { code, errors } = await musterHere(['run', '--slot', slot], { folder, environment: simulator.environment });
  expect(code).toBe(1);
  expect(errors).toContain('[exemptions-unreadable]');
  expect(errors).toContain('11 of its 11 rows are not understood (line 2: expires is "01/02/2027"');
});
