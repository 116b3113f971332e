/**
 * How long the saved queries take over many nights, and how much they read: `node bench/queries.ts [--nights 400]
 * [--devices 100000]`. The files are those of a run, one copy a night with its date; DuckDB stands for Athena with the
 * stack's own views and queries. It needs 28 MB of disk a night of 100,000 devices, and removes them. The bytes that are
 * read are those of the system's own count, which Linux has. Figures, never a test.
 */
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { renderCsv } from '../src/reports/csv.ts';
import { tables } from '../src/reports/tables.ts';
import { type Duck, openDuck } from '../test/infra/duck.ts';
import { glueViews, namedQueries, prestoView } from '../test/infra/views.ts';
import { nightOf } from '../test/reports/fleet.ts';

const { values } = parseArgs({ options: { nights: { type: 'string' }, devices: { type: 'string' } } });
const nights = Number(values.nights ?? 400);
const devices = Number(values.devices ?? 100_000);
/** As many as the Parquet files are made of: enough to see what a night costs. */
const parquetNights = Math.min(30, nights);

/** By a saved query. Of the other tables, the last night's files are enough for the views. */
const queried = ['devices', 'not-installed', 'changes', 'coverage'];

const say = (line: string) => process.stdout.write(`${line}\n`);
const folder = await mkdtemp(join(tmpdir(), 'muster-queries-'));
try {
  const { lastSlot, serial } = await writeNights();
  for (const { name } of tables) {
    say(`${name.padEnd(14)} ${formatBytes(await measureFolder(join(folder, name)))}`);
  }
  const views = glueViews.map((input) => ({ name: input.Name, sql: prestoView(input).originalSql }));
  const duck = await openDuck(folder, views);
  for (const { Name, QueryString } of namedQueries) {
    if (!QueryString.includes('?')) {
      await measureQuery(duck, Name, QueryString);
      continue;
    }
    for (const count of new Set([30, nights])) {
      await measureQuery(duck, `${Name}, ${count} runs`, QueryString, [serial, toSlot(lastSlot, count - 1)]);
    }
  }
  await measureParquet(duck, serial, toSlot(lastSlot, parquetNights - 1));
  duck.close();
} finally {
  await rm(folder, { recursive: true });
}

/** One night's tables, and the same with the date of each other night. Of its changes, each night has one in seven. */
async function writeNights() {
  const night = nightOf({ devices, missing: 5, nights: 2 });
  const lastSlot = night.slot;
  const texts = await Promise.all(
    tables.map(async (table) => ({ name: table.name, text: (await buffer(renderCsv(table, night))).toString() })),
  );
  for (let ago = 0; ago < nights; ago += 1) {
    const slot = toSlot(lastSlot, ago);
    for (const { name, text } of texts.filter(({ name: table }) => ago === 0 || queried.includes(table))) {
      const place = join(folder, name, `date=${slot}`);
      await mkdir(place, { recursive: true });
      const kept = name === 'changes' ? keepOneInSeven(text, ago) : text;
      await writeFile(join(place, `${name}.csv`), kept.replaceAll(lastSlot, slot));
    }
  }
  return { lastSlot, serial: night.devices[0]?.facts.serialNumber ?? '' };
}

function keepOneInSeven(text: string, ago: number): string {
  const [header = '', ...lines] = text.trimEnd().split('\n');
  return `${[header, ...lines.filter((_line, index) => index % 7 === ago % 7)].join('\n')}\n`;
}

function toSlot(lastSlot: string, ago: number): string {
  return new Date(Date.parse(lastSlot) - ago * 86_400_000).toISOString().slice(0, 10);
}

async function measureQuery(duck: Duck, name: string, sql: string, given: readonly string[] = []): Promise<void> {
  const before = { bytes: countBytesRead(), time: performance.now(), cpu: process.cpuUsage() };
  const rows = await duck.ask(sql, given);
  const seconds = (performance.now() - before.time) / 1000;
  const { user, system } = process.cpuUsage(before.cpu);
  const processor = (user + system) / 1e6;
  const bytes = countBytesRead() - before.bytes;
  say(
    `${name}: ${rows.length} rows, ${seconds.toFixed(2)} s (${processor.toFixed(2)} s of processor), read ${formatBytes(bytes)}`,
  );
}

/** The same devices as Parquet, as a table would be that a query engine had written. */
async function measureParquet(duck: Duck, serial: string, since: string): Promise<void> {
  const place = join(folder, 'parquet');
  await duck.ask(`COPY (SELECT * FROM devices WHERE "date" >= '${since}') TO '${place}'
    (FORMAT parquet, COMPRESSION zstd, PARTITION_BY ("date"))`);
  say(`devices of ${parquetNights} runs as Parquet: ${formatBytes(await measureFolder(place))}`);
  const wanted = `SELECT slot, source, device_id, device_name, status, reason, value, value_at, last_seen_at, proven, stale, counted,
    excluded_because, not_installed_since, answered_on FROM read_parquet('${place}/*/*.parquet', hive_partitioning = true)
    WHERE lower(trim(serial_number)) = lower(trim(?)) ORDER BY slot, source, device_id`;
  await measureQuery(duck, `the history of a device in it, ${parquetNights} runs`, wanted, [serial]);
}

async function measureFolder(place: string): Promise<number> {
  const entries = await readdir(place, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** By this process, also what the system had in memory. */
function countBytesRead(): number {
  return Number(/rchar: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);
}

function formatBytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
