/**
 * The tools that are asked the same question: Muster, and rivals by repository and commit. A rival's code is fetched by
 * whoever runs it (`--with NAME=FOLDER`); here is only how it is started and where it says what.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import type { SourceName } from '../../simulator/devices/model.ts';
import { company } from '../../simulator/platforms/company.ts';
import type { Simulator } from '../../simulator/simulator.ts';

/** How many devices of one platform there are, as the truth or a tool says. */
export interface Counts {
  readonly devices: number;
  /** What follows is undefined where the tool does not say it. */
  readonly installed?: number;
  readonly ids?: readonly string[];
  /** Named as devices that could not be read. */
  readonly unread?: number;
  readonly soundness?: string;
}

export interface Tool {
  readonly name: string;
  readonly origin: string;
  /** Why its figures are not of the same kind as the truth's. */
  readonly note?: string;
  readonly sources: readonly SourceName[];
  /** The program and its words; the working folder is empty but for `files`. */
  readonly command: (checkout: string) => readonly [string, ...string[]];
  readonly files?: (simulator: Simulator) => Readonly<Record<string, string>>;
  readonly environment: (simulator: Simulator) => Readonly<Record<string, string>>;
  /** Rejects where the tool wrote no answer. */
  readonly read: (folder: string, output: string, source: SourceName) => Promise<Counts>;
}

type Row = Readonly<Record<string, string>>;

async function readTable(folder: string, name: string): Promise<Row[]> {
  return parse(await readFile(join(folder, name), 'utf8'), { columns: true }) as Row[];
}

const repository = join(import.meta.dirname, '../..');

export const muster: Tool = {
  name: 'Muster',
  origin: 'this repository',
  sources: ['macs', 'windows'],
  command: () => [process.execPath, join(repository, 'src/bin.ts'), 'run'],
  files: (simulator) => ({ 'muster.yaml': simulator.settings() }),
  environment: (simulator) => simulator.environment,
  async read(folder, _output, source) {
    const latest = join(folder, 'muster-data/latest');
    const devices = (await readTable(latest, 'devices.csv')).filter((row) => row.source === source);
    const coverage = (await readTable(latest, 'coverage.csv')).find((row) => row.source === source);
    return {
      devices: devices.length,
      installed: devices.filter(({ status }) => status === 'Installed').length,
      ids: devices.map((row) => row.device_id ?? ''),
      unread: devices.filter(({ reason }) => reason === 'unread').length,
      soundness: coverage?.soundness ?? '',
    };
  },
};

/** The answer is the last line, as JSON: the code that calls the tool writes it. */
async function readLastLine(_folder: string, output: string): Promise<Counts> {
  const reported = JSON.parse(output.trimEnd().split('\n').at(-1) ?? '') as Counts | null;
  if (reported === null) {
    throw new Error('The tool gave no answer.');
  }
  return reported;
}

const orchardCall = `require(process.argv[1]).getJamfInventory({ serverUrl: process.env.JAMF_URL,
  clientId: process.env.JAMF_CLIENT_ID, clientSecret: process.env.JAMF_CLIENT_SECRET })
  .then((computers) => console.log(JSON.stringify(computers && { devices: computers.length, ids: computers.map(({ id }) => id) })))`;

export const rivals: readonly Tool[] = [
  {
    name: 'compliance-reports',
    origin: 'jonbrown21/macOS-JAMF-Scripts at 0188dc9cb112, `Scripts/Security/NIST/JAMF Compliance Reports.py`',
    note: 'It counts the words of an extension attribute over all Macs, and is meant for lists of failed rules; “installed” is its count of the word `Installed`. It names Macs, but not their ids.',
    sources: ['macs'],
    command: (checkout) => [
      'python3',
      join(checkout, 'Scripts/Security/NIST/JAMF Compliance Reports.py'),
      '--ea-name',
      company.attributeName,
    ],
    // By the account: it sends an API client's secret in a header, where Jamf Pro documents the body.
    environment: ({ urls, environment }) => ({
      JAMF_URL: urls.jamf,
      JAMF_USER: environment.JAMF_USER ?? '',
      JAMF_PASSWORD: environment.JAMF_PASSWORD ?? '',
    }),
    async read(folder) {
      const devices = await readTable(folder, 'compliance_failed_by_device.csv');
      const words = await readTable(folder, 'compliance_failed_counts.csv');
      const installed = words.find(({ Item }) => Item === 'Installed');
      return { devices: devices.length, installed: Number(installed?.Count ?? 0) };
    },
  },
  {
    name: 'orchardpatch-agent',
    origin: 'judeglenn/orchardpatch-agent at ad1e60b7dd60, `.build/payload/usr/local/orchardpatch/agent/src/jamf.js`',
    note: 'It lists the Macs with their applications, and does not read extension attributes. Its function is called as its own server calls it, and gives nothing where it fails, which that server answers with HTTP 503.',
    sources: ['macs'],
    command: (checkout) => [
      process.execPath,
      '-e',
      orchardCall,
      join(checkout, '.build/payload/usr/local/orchardpatch/agent/src/jamf.js'),
    ],
    environment: ({ urls, environment }) => ({ ...environment, JAMF_URL: urls.jamf }),
    read: readLastLine,
  },
];
