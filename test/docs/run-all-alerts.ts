/** Some weeks of the simulator in which everything happens once: what its channels would have said, for docs/examples. */
import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Simulator } from '../../simulator/simulator.ts';
import type { Channel } from '../../src/alerts/channel.ts';
import type { AlertMessage } from '../../src/alerts/message/digest.ts';
import { buildFailureMessage, buildTestMessage } from '../../src/alerts/message/other-messages.ts';
import { MusterError } from '../../src/base/errors.ts';
import { readSettings } from '../../src/compose/read-settings.ts';
import { readRunContext } from '../../src/compose/run-context.ts';
import type { ServerClocks } from '../../src/http/clock.ts';
import { runNight } from '../../src/night.ts';
import { retractRun } from '../../src/run/corrections/retract.ts';
import { createFolderStore } from '../../src/storage/folder/folder-store.ts';
import type { Store } from '../../src/storage/store.ts';
import { isProven } from '../model/proof.ts';
import { isCounted, type Row } from '../model/rows.ts';
import { judgeDevices } from '../whole-runs/expected-runs.ts';
import {
  composeSimulatorParts,
  makeFolder,
  openSimulator,
  type SimulatorSetup,
  toMoment,
} from '../whole-runs/simulator-runs.ts';

const agent = 'Endpoint agent';
const nights = 24;
const toSlot = (night: number) => `2026-03-${String(night).padStart(2, '0')}`;
const header = 'match,value,source,reason,owner,expires';
/** The first is a Mac that lacks the agent, exempt for some days; the last a name that two machines have. */
const exemptionRows = (mac: string) => [
  `device_id,${mac},macs,lab machine,it@example.com,2026-03-12`,
  'serial,C02SOLD0001,macs,sold,it@example.com,2026-12-31',
  'serial,C02LENT0001,macs,,it@example.com,2026-12-31',
  'device_name,KIOSK,windows,kiosk,it@example.com,2026-12-31',
];

const acknowledgementRows = [
  'serial,by,until,ticket,note',
  'C02LOAN0001,ada@example.com,2026-03-04,IT-1201,on loan',
  'C02SOLD0001,ada@example.com,2026-12-31,IT-1202,in the cellar',
  'C02LENT0001,,2026-12-31,IT-1203,',
];

const firstNightOfLists = 3;

/**
 * What the company bought, and what its console has seen: one machine is never enrolled, another is bought later; a Mac
 * falls silent, and one night the console's list is an old one.
 */
async function writeLists(night: number, { simulator }: SimulatorSetup, folder: string, silent: string): Promise<void> {
  const records = simulator.listRecords().map((record) => ({ ...record, serial: (record.serialNumber ?? '').trim() }));
  const numbered = records.filter(({ serial }) => serial !== '');
  const never = ['C02BOXED001', ...(night < 11 ? [] : ['C02BOXED002'])];
  const bought = [...numbered.map(({ serial }) => serial), ...never];
  const seen = (serial: string) => toMoment(toSlot(serial === silent ? firstNightOfLists : night)).toISOString();
  const agents = numbered.filter(({ hasAgent }) => hasAgent).map(({ serial }) => serial);
  const lists = {
    'machines.csv': ['serial', ...bought.map((serial) => JSON.stringify(serial))],
    'console.csv': ['serial,seen_at', ...agents.map((serial) => `${JSON.stringify(serial)},${seen(serial)}`)],
  };
  for (const [name, lines] of Object.entries(lists)) {
    const date = toMoment(toSlot(night === 15 && name === 'console.csv' ? 10 : night));
    await writeFile(join(folder, name), `${lines.join('\n')}\n`);
    await utimes(join(folder, name), date, date);
  }
}

interface Recorder extends Channel {
  readonly received: AlertMessage[];
  down: boolean;
}

/** Notes what it is given to render. */
function createRecorder(name: string): Recorder {
  const recorder: Recorder = {
    ...{ name, audience: 'people', received: [], down: false },
    render(message) {
      recorder.received.push(message);
      return [message.digest.title];
    },
    async send() {
      if (recorder.down) {
        throw new MusterError('channel-refused', `${name} is down.`);
      }
    },
  };
  return recorder;
}

const anotherClock: ServerClocks = {
  onServerDate: () => undefined,
  list: () => [{ server: 'Jamf Pro "macs"', ahead: -2 * 3_600_000 }],
};

/** An audit store that Muster may not read on one night. */
const refusing: Pick<Store, 'digest'> = {
  digest(key) {
    const sentence = `Reading ${key} in s3://audit failed: s3:GetObject ended with AccessDenied.`;
    throw new MusterError('store-unreachable', `${sentence} Allow s3:GetObject below s3://audit.`);
  },
};

/** What happens on a night, besides a fleet's ordinary life. */
function applyIncidents(night: number, setup: SimulatorSetup, slack: Recorder, withoutAgent: readonly string[]): void {
  const { simulator } = setup;
  slack.down = night === 5 || night === 6;
  const faults: Readonly<Record<number, string[]>> = {
    1: ['graph/down:lasting'],
    4: ['jamf/record-500=3:lasting'],
    5: ['graph/down:lasting'],
    9: ['jamf/attribute-disabled:lasting'],
  };
  simulator.setFaults(faults[night] ?? []);
  if (night === 7) {
    simulator.removeShareOfDevices(35, 'macs');
  }
  if (night === 8) {
    simulator.restoreDevices();
  }
  if (night === 11) {
    for (const policy of simulator.jamf.policies) {
      policy.enabled = false;
    }
  }
  if (night === 12) {
    for (const policy of simulator.jamf.policies) {
      policy.enabled = true;
    }
  }
  // The second of them is a canary.
  if (night === 2 || night === 6) {
    simulator.changeDevice('macs', withoutAgent[3] ?? '', { agent: night === 6 ? 'missing' : 'installed' });
  }
  if (night === 13) {
    simulator.changeDevice('macs', withoutAgent[3] ?? '', { gone: true });
  }
  if (night === 15) {
    const silent = judgeDevices(simulator, toSlot(night)).find(
      (row) => row.source === 'macs' && isCounted(row) && row.stale,
    );
    simulator.changeDevice('macs', silent?.facts.id ?? '', { gone: true });
  }
  if (night === 14) {
    simulator.flipShareOfDevices(14, 'windows');
  }
  if (night >= 17 && night <= 22) {
    simulator.changeDevice('macs', withoutAgent[2] ?? '', { agent: night % 2 === 0 ? 'missing' : 'installed' });
  }
  if (night === 16) {
    simulator.flipShareOfDevices(14, 'windows');
  }
}

/** A year ends for the script that somebody accepted. */
function settingsFor(night: number, yaml: string): string {
  const kept = night < nights ? yaml : yaml.replace(/ {2}- name: windows\n(?: {4}.*\n)+/, '');
  const accepted = `  accepted:\n    - { sha256: ${'0123456789abcdef'.repeat(4)}, by: Ada Example, on: 2025-04-10 }\n`;
  const lists = 'lists: { expected: [{ file: machines.csv }], reporting: [{ file: console.csv }] }\n';
  const listed = night < firstNightOfLists ? '' : lists;
  const retention = night === 20 ? 'retention: { nights: 5 }\n' : '';
  return `${kept}${accepted}${listed}${retention}policy: { overdueAfterDays: 5, minimumCoverage: 60 }\nexemptions: exemptions.csv\nacknowledged: acknowledged.csv\n`;
}

/** Macs that are counted and lack the agent, and two Windows machines that get one name. */
function findDevicesWithoutAgent({ simulator }: SimulatorSetup): string[] {
  const rows = judgeInOrder(simulator).filter((row) => isCounted(row) && isProven(row));
  const windows = rows.filter(({ source }) => source === 'windows').slice(0, 2);
  for (const { facts } of windows) {
    simulator.changeDevice('windows', facts.id, { name: 'KIOSK' });
  }
  const macs = rows.filter(({ source, status }) => source === 'macs' && status === 'Not Installed');
  return macs.map(({ facts }) => facts.id);
}

/** In the order in which devices were enrolled. */
function judgeInOrder(simulator: Simulator): Row[] {
  const rows = judgeDevices(simulator);
  return simulator.listRecords().flatMap(({ id }) => rows.find(({ facts }) => facts.id === id) ?? []);
}

export interface AlertExamples {
  /** The first message of each kind. */
  readonly reported: ReadonlyMap<string, AlertMessage>;
  /** Simulated platforms by the addresses that real ones have. */
  readonly named: (text: string) => string;
  readonly all: readonly AlertMessage[];
}

export async function runAllAlerts(): Promise<AlertExamples> {
  const setup = await openSimulator({ devices: 200, seed: 11 });
  const folder = await makeFolder();
  const mail = createRecorder('sns');
  const slack = createRecorder('slack');
  const withoutAgent = findDevicesWithoutAgent(setup);
  const isWell = (row: Row) => row.source === 'macs' && row.status === 'Installed' && isCounted(row) && isProven(row);
  const silent = judgeInOrder(setup.simulator).filter(isWell)[7]?.facts.serialNumber ?? '';
  for (let night = 1; night <= nights; night += 1) {
    const slot = toSlot(night);
    setup.simulator.setMoment(toMoment(slot));
    applyIncidents(night, setup, slack, withoutAgent);
    await writeFile(
      join(folder, 'exemptions.csv'),
      `${[header, ...(night < 3 ? [] : exemptionRows(withoutAgent[0] ?? ''))].join('\n')}\n`,
    );
    await writeLists(night, setup, folder, silent);
    await writeFile(join(folder, 'acknowledged.csv'), `${acknowledgementRows.join('\n')}\n`);
    const { settings, problems } = readSettings(
      settingsFor(night, setup.simulator.settings()),
      setup.simulator.environment,
    );
    if (settings === undefined) {
      throw new Error(problems.join('\n'));
    }
    const parts = await composeSimulatorParts({ ...setup, settings }, folder, slot);
    if (parts.alerts === undefined) {
      throw new Error('no alerts');
    }
    const link = (date: string) => `https://reports.example.com/report/date=${date}/index.html`;
    // Each run has a message of its own, so that no kind opens and ends in one.
    const alerts = { ...parts.alerts, channels: [mail, slack], link, everyNight: true };
    const audit = { ...createFolderStore(join(folder, 'audit')), ...(night === 18 ? refusing : {}) };
    await runNight(
      { slot, moment: toMoment(slot), readRunContext: () => readRunContext(settings, folder, toMoment(slot)) },
      // Messages are what is told here; nobody reads the page and the workbook.
      { ...parts, alerts, audit, reports: [], ...(night === 21 ? { serverClocks: anotherClock } : {}) },
    );
  }
  const slot = toSlot(nights);
  const last = await composeSimulatorParts(setup, folder, slot);
  const link = (date: string) => `https://reports.example.com/report/date=${date}/index.html`;
  const alerts = last.alerts && { ...last.alerts, channels: [mail, slack], link, everyNight: true };
  await retractRun({ slot, by: 'ada', why: 'the clock was wrong' }, { ...last, ...(alerts && { alerts }) });
  const error = await readRunContext({ ...setup.settings, exemptions: 'gone.csv' }, '/etc/muster', new Date(0)).catch(
    (cause: unknown) => cause,
  );
  const others = [
    buildTestMessage(agent, toSlot(nights)),
    buildFailureMessage({ agent, slot: toSlot(nights), commit: nights }, error),
  ];
  const reported = new Map<string, AlertMessage>();
  for (const message of [...mail.received, ...others]) {
    for (const { kind } of message.events) {
      if (!reported.has(kind)) {
        reported.set(kind, message);
      }
    }
  }
  const { jamf, graph, login, service, downloads } = setup.simulator.urls;
  const names: readonly (readonly [string | undefined, string])[] = [
    [jamf, 'https://example.jamfcloud.com'],
    [graph, 'https://graph.microsoft.com'],
    [login, 'https://login.microsoftonline.com'],
    [service, 'https://files.example.com'],
    [downloads, 'https://example.blob.core.windows.net'],
  ];
  const named = (text: string) => {
    let written = text;
    for (const [url, name] of names) {
      if (url === undefined) {
        continue;
      }
      written = written.replaceAll(url, name).replaceAll(url.replace('://', '[:]//'), name.replace('://', '[:]//'));
      written = written.replaceAll(new URL(url).host, new URL(name).host);
    }
    return written;
  };
  await setup.close();
  return { reported, named, all: mail.received };
}
