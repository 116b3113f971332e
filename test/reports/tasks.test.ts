/**
 * The fifteen tasks of a morning, on the page of the last of 36 real runs of 3,000 devices: each in three actions at
 * most, counted by the reader, and without a control that has to be looked for. The tables of the same runs say what is right.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { addDays } from '../../src/core/time/calendar.ts';
import { makeOnce } from '../make-once.ts';
import { hasBrowser } from '../needs.ts';
import type { Row } from './csv.ts';
import { latestPage, runDemo } from './demo-pages.ts';
import { Reader } from './reader.ts';
import { useViewer } from './use-viewer.ts';

const { getViewer, visit } = useViewer();
let folder: string;
let slot: string;
let devices: Row[];

beforeAll(async () => {
  if (hasBrowser) {
    folder = await makeOnce('demo-36', runDemo);
    [{ slot = '' } = {}] = await readTable('latest', 'coverage');
    devices = await readTable('latest', 'devices');
  }
});

async function readTable(place: string, name: string): Promise<Row[]> {
  const path = join(folder, 'muster-demo', place, `${name}.csv`);
  return parse(await readFile(path, 'utf8'), { columns: true }) as Row[];
}

const readDevicesOf = (date: string) => readTable(join('devices', `date=${date}`), 'devices');

async function sitDown(): Promise<Reader> {
  const open = async (file: string) => (await visit(file, { viewport: { width: 1440, height: 900 } })).page;
  return new Reader(await open(join(folder, latestPage)), open);
}

const isMissing = ({ counted, status }: Row) => counted === 'true' && status === 'Not Installed';
const isInstalled = ({ counted, status }: Row) => counted === 'true' && status === 'Installed';
const keyOf = ({ source, device_id }: Row) => `${source}/${device_id}`;
const rows = (list: string) => `[data-list=${list}] tbody tr`;
const status = (list: string) => `[data-list=${list}] [role=status]`;

it('task 1: which Macs of a site lost the agent this week', async () => {
  const before = new Set((await readDevicesOf(addDays(slot, -7))).filter(isInstalled).map(keyOf));
  const lost = devices.filter((row) => isMissing(row) && before.has(keyOf(row)) && row.platform === 'macos');
  const [{ site = '' } = {}] = lost;
  const reader = await sitDown();
  await reader.click('#lost');
  await reader.choose('#changes select', 'the last 7 days');
  await reader.search('[data-list=changes] input', `macos ${site}`);
  const expected = lost.filter((row) => row.site === site).map(({ device_name }) => device_name);
  expect(expected.length).toBeGreaterThan(0);
  await reader.waitFor(status('changes'), /^[1-9]\d? of \d{2,} rows$/);
  const shown = await reader.texts(rows('changes'));
  // A machine that was enrolled anew within the week is there too, under its new id.
  expect(shown.filter((row) => !(row.startsWith('lost ') && row.includes(`macOS ${site}`)))).toEqual([]);
  expect(expected.filter((name = '') => !shown.join('\n').includes(name))).toEqual([]);
});

it('task 2: a list for the desktop team of a site', async () => {
  const reader = await sitDown();
  await reader.choose('#breakdown select', 'Site');
  await reader.click('#breakdown tbody tr:has(th:text-is("Branch")) [data-rows^=needs-action]');
  await reader.waitFor('[data-list=needs-action] [data-facet=site]', /Branch/);
  const file = parse(await reader.download('[data-list=needs-action] button:text-is("Download")'), {
    columns: true,
  }) as Row[];
  const own = devices.filter((row) => isMissing(row) && row.site === 'Branch');
  expect(file.map((row) => row['Serial number']).sort()).toEqual(own.map((row) => row.serial_number).sort());
});

it('task 3: is the machine with this serial number covered', async () => {
  const device = devices.find((row) => isMissing(row) && /^\w{10,}$/.test(row.serial_number ?? ''));
  const reader = await sitDown();
  await reader.search('#find input', (device?.serial_number ?? '').toLowerCase());
  await reader.click('#find [role=option]');
  expect(await reader.text('dialog[open]')).toMatch(/Not Installed since at least .+ Next step: /);
});

it('task 3: and one that is enrolled nowhere says so', async () => {
  const [machine] = await readTable('latest', 'unenrolled');
  const reader = await sitDown();
  await reader.search('#find input', machine?.serial_number ?? '');
  expect(await reader.texts('#find [role=option]')).toEqual([
    expect.stringMatching(
      /Enrolled nowhere: machines\.csv of the expected machines names it, and no source lists it\./,
    ),
  ]);
});

it('task 4: why coverage changed since last Monday', async () => {
  const monday = addDays(slot, -((new Date(slot).getUTCDay() + 6) % 7 || 7));
  const findAll = async (date: string) =>
    (await readTable(join('coverage', `date=${date}`), 'coverage')).find(({ source }) => source === 'all');
  const [from, to] = [await findAll(monday), await findAll(slot)];
  const points = Math.abs(Number(to?.coverage) - Number(from?.coverage)).toFixed(2);
  const reader = await sitDown();
  await reader.choose('#changes select', 'between two runs');
  await reader.choose('#changes label:has-text("From") select', monday);
  await reader.waitFor(
    '#changes .why',
    new RegExp(`^${to?.coverage} %, .*${points} points since ${monday}[:;] .*\\(\\d`),
  );
});

it('task 5: the worst departments', async () => {
  const reader = await sitDown();
  await reader.choose('#breakdown select', 'Department');
  const all = (await readTable('latest', 'coverage-by')).filter(
    (row) => row.field === 'department' && row.value !== '',
  );
  const worst = Math.max(...all.map((row) => Number(row.not_installed)));
  const names = await reader.texts('#breakdown tbody th');
  expect(all.find((row) => row.value === names[0])?.not_installed).toBe(String(worst));
  expect(names.at(-1)).toBe('not known');
});

it('task 6: who has been without the agent longest', async () => {
  const reader = await sitDown();
  const since = await reader.texts(`${rows('needs-action')} td:first-child`);
  expect(since.length).toBeGreaterThan(100);
  expect(since).toEqual(since.toSorted());
  expect(await reader.texts(`${rows('needs-action')} td:nth-child(3)`)).toContain(
    (await readTable('latest', 'not-installed'))[0]?.serial_number,
  );
});

it('task 7: a list for a spreadsheet', async () => {
  const reader = await sitDown();
  await reader.click('[data-list=needs-action] summary:text-is("More formats")');
  const text = await reader.download('[data-list=needs-action] button:text-is("Download for Excel")');
  expect(text.startsWith('\uFEFF')).toBe(true);
  expect(text.trim().split('\n').length - 1).toBe(devices.filter(isMissing).length);
});

it('task 8: the state of last month, for an auditor', async () => {
  const date = addDays(slot, -30);
  const reader = await sitDown();
  await reader.click('#exact summary');
  await reader.waitFor('#exact tbody tr', /\d,\d{3}/);
  // Counts are written alike everywhere: 2,853 and never 2853.
  expect((await reader.texts('#exact tbody tr')).filter((row) => /(?<![-\d])\d{4,}(?![-\d])/.test(row))).toEqual([]);
  await reader.follow(`#exact a:text-is("${date}")`);
  expect(await reader.text('.title')).toContain(`Run of ${date}`);
  const all = (await readTable(join('coverage', `date=${date}`), 'coverage')).at(-1);
  expect(await reader.text('.number')).toBe(`${all?.coverage}%`);
});

it('task 9: which exemptions expire', async () => {
  const reader = await sitDown();
  await reader.click('#exemptions summary');
  await reader.choose('[data-list=exemptions] [data-facet=result]', 'expiring');
  const expiring = (await readTable('latest', 'exemptions')).filter(({ result }) => result === 'expiring');
  expect(expiring).toHaveLength(1);
  await reader.waitFor(status('exemptions'), /^1 of 3 rows$/);
  expect(await reader.text(rows('exemptions'))).toContain(expiring[0]?.expires);
});

it('task 10: can the number be trusted, and why not', async () => {
  const reader = await sitDown();
  expect(await reader.text('#verdict')).toMatch(/^Complete and sound/);
  const unproven = devices.filter(({ counted, proven }) => counted === 'true' && proven === 'false').length;
  expect(await reader.text('#certainty')).toMatch(
    new RegExp(`^Certainty ${unproven} of .+ are not proven: \\d+ .+, until`),
  );
  expect(reader.actions).toBe(0);
});

it('task 11: one user, two machines', async () => {
  const users = Map.groupBy(
    devices.filter(({ user }) => user !== ''),
    (row) => row.user?.replace(/@.*/, ''),
  );
  const [user = '', own = []] = [...users].find(([, all]) => new Set(all.map((row) => row.platform)).size > 1) ?? [];
  const reader = await sitDown();
  await reader.search('#find input', user);
  const options = (await reader.texts('#find [role=option]')).join('\n');
  expect(own.filter(({ serial_number = '' }) => !options.includes(serial_number))).toEqual([]);
});

it('task 12: machines that are enrolled nowhere', async () => {
  const reader = await sitDown();
  await reader.click('#lists a:has-text("enrolled nowhere")');
  const machines = await readTable('latest', 'unenrolled');
  expect(await reader.texts(`${rows('unenrolled')} td:first-child`)).toEqual(machines.map((row) => row.serial_number));
});

it('task 13: a link for a manager; a page that is a file says why there is none', async () => {
  const reader = await sitDown();
  await reader.click('[data-list=needs-action] summary:text-is("More formats")');
  await reader.click('[data-list=needs-action] button:text-is("Copy link")');
  await reader.waitFor(
    status('needs-action'),
    /^No link was copied: this page was opened from a file .+ Send these rows/,
  );
});

it('task 13: and over HTTP the link shows the same rows to whoever opens it', async () => {
  const context = await getViewer().browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.route('**/*', (route) => route.fulfill({ path: join(folder, latestPage), contentType: 'text/html' }));
  await page.goto('https://reports.example.com/index.html#needs-action.platform=windows');
  const reader = new Reader(page, async () => page);
  await reader.click('[data-list=needs-action] summary:text-is("More formats")');
  await reader.click('[data-list=needs-action] button:text-is("Copy link")');
  await reader.waitFor(status('needs-action'), /^Copied the link to these rows\.$/);
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
    'https://reports.example.com/index.html#at=needs-action&needs-action.platform=windows',
  );
});

it('task 14: newly enrolled without the agent', async () => {
  const before = await readDevicesOf(addDays(slot, -30));
  const known = new Set(before.flatMap((row) => [keyOf(row), row.serial_number || keyOf(row)]));
  const isKnown = (row: Row) => known.has(keyOf(row)) || known.has(row.serial_number ?? '');
  const fresh = devices.filter((row) => isMissing(row) && !isKnown(row));
  const reader = await sitDown();
  await reader.choose('#changes select', 'the last 30 days');
  await reader.choose('[data-list=changes] [data-facet=change]', 'new-not-installed');
  expect(fresh.length).toBeGreaterThan(0);
  await reader.waitFor(status('changes'), new RegExp(`^${fresh.length} of `));
  const shown = (await reader.texts(rows('changes'))).join('\n');
  expect(fresh.filter(({ device_name = '' }) => !shown.includes(device_name))).toEqual([]);
});

it('task 15: Installed, and not checking in', async () => {
  const silent = devices.filter(({ counted, silent: isSilent }) => counted === 'true' && isSilent === 'true');
  const reader = await sitDown();
  await reader.click('#lists a:has-text("not checking in")');
  await reader.waitFor(status('all-devices'), new RegExp(`^${silent.length} of `));
});

it('what to do next for the fleet', async () => {
  const reader = await sitDown();
  const count = await reader.text('#first-step-count');
  await reader.click('#first-step-count');
  await reader.waitFor(status('needs-action'), new RegExp(`^${count} of `));
});
