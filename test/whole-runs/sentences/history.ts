/**
 * A history of runs in which each thing that decides a sentence happens once: faults, a repair, a list that is stale,
 * exemptions and acknowledgements of each kind, canaries, and channels of every kind, whose messages are kept.
 */
import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Simulator } from '../../../simulator/simulator.ts';
import type { Channel } from '../../../src/alerts/channel.ts';
import { formatOutcome, readCurrentLines } from '../../../src/cli/run.ts';
import { readSettings } from '../../../src/compose/read-settings.ts';
import { readRunContext } from '../../../src/compose/run-context.ts';
import { runNight } from '../../../src/night.ts';
import { composeSimulatorParts, makeFolder, openSimulator, readStandingCommit, toMoment } from '../simulator-runs.ts';

const millisecondsPerDay = 86_400_000;

interface Incident {
  readonly name: string;
  readonly happens?: (simulator: Simulator) => void;
  /** How many days old the console's list is. */
  readonly listAge?: number;
  /** The first lines of the list of machines alone are there. */
  readonly isListCut?: true;
}

const fault =
  (...names: string[]) =>
  (simulator: Simulator) =>
    simulator.setFaults(names);

/** In this order, each as often as the history has runs for it. */
const incidents: readonly Incident[] = [
  { name: 'first' },
  { name: 'carried, and another detection method', happens: fault('jamf/attribute-renamed:lasting') },
  { name: 'after a repair', happens: fault() },
  { name: 'partial', happens: fault('jamf/record-500=3:lasting') },
  { name: 'carried', happens: fault('graph/down:lasting') },
  { name: 'list stale', happens: fault(), listAge: 3 },
  { name: 'suspect', happens: (simulator) => simulator.removeShareOfDevices(50, 'macs') },
  { name: 'plausible again', happens: (simulator) => simulator.restoreDevices() },
  { name: 'list cut off', isListCut: true, happens: (simulator) => simulator.flipShareOfDevices(9) },
  { name: 'untrusted', happens: fault('jamf/attribute-disabled:lasting') },
  { name: 'sound again', happens: fault() },
  { name: 'good', happens: (simulator) => simulator.updateApp() },
];

const channels = `
    - { type: slack, name: everybody, url: env:HOOK }
    - { type: slack, name: headquarters, url: env:HOOK, only: { site: [Headquarters] } }
    - { type: slack, name: only-macs, url: env:HOOK, only: { source: [macs] } }
    - { type: teams, url: env:HOOK }
    - { type: smtp, name: mail, host: mail.example.com, port: 587, from: muster@example.com, to: [soc@example.com] }
    - { type: smtp, name: weekly, host: mail.example.com, port: 587, from: muster@example.com, to: [soc@example.com], weekly: true }
    - { type: graph-mail, from: muster@example.com, to: [soc@example.com], tenantId: example.com, auth: { clientId: env:ID, clientSecret: env:KEY } }
    - { type: sns, topicArn: 'arn:aws:sns:eu-west-1:123456789012:night' }
    - { type: webhook, url: env:HOOK }
    - { type: pagerduty, routingKey: env:KEY }
    - { type: eventbridge, busName: default }`;

export const overdueAfterDays = 7;

const moreSettings = `
policy: { minimumCoverage: 85, overdueAfterDays: ${overdueAfterDays} }
exemptions: exemptions.csv
acknowledged: acknowledged.csv
lists:
  expected: [{ file: machines.csv }]
  reporting: [{ file: console.csv, columns: { serial: Serial Number, name: Host, seen_at: Last Seen } }]
alerts:
  everyNight: true
  reportUrl: https://reports.example.com/
  channels:${channels}
`;

export interface Payload {
  readonly channel: Pick<Channel, 'name' | 'audience' | 'only' | 'isWeekly'>;
  readonly payload: unknown;
}

export interface ToldRun {
  readonly incident: string;
  readonly slot: string;
  /** The settings file and the store are in it. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The tables and reports of the run. */
  readonly reports: string;
  /** As `muster run` prints it. */
  readonly printed: readonly string[];
  readonly payloads: readonly Payload[];
}

interface HistoryOptions {
  readonly devices: number;
  readonly runs: number;
  readonly daysBetween: number;
}

export const settingsFile = 'muster.yaml';

/** Makes one run after another, and gives each to `look` before the next begins. */
export async function makeHistory(options: HistoryOptions, look: (run: ToldRun) => Promise<void>): Promise<void> {
  const first = '2026-03-01';
  const { simulator, close } = await openSimulator({ devices: options.devices, graph: { exportPolls: 0 } }, first);
  try {
    const folder = await makeFolder();
    // An updated app is a new object: its name finds both.
    const yaml = simulator.settings().replace(/app: [\w-]+$/m, 'app: Endpoint agent') + moreSettings;
    await writeFile(join(folder, settingsFile), yaml);
    const environment = { ...simulator.environment, HOOK: 'https://hook.example.com', ID: 'id', KEY: 'key' };
    const { settings, problems } = readSettings(yaml, environment);
    if (settings === undefined) {
      throw new Error(problems.join('\n'));
    }
    const people = await writePeopleFiles(simulator, folder, first);
    for (let index = 0; index < options.runs; index += 1) {
      const moment = new Date(toMoment(first).getTime() + index * options.daysBetween * millisecondsPerDay);
      const slot = moment.toISOString().slice(0, 10);
      const place = Math.floor((index * incidents.length) / options.runs);
      const isNew = place !== Math.floor(((index - 1) * incidents.length) / options.runs);
      const incident = incidents[place] as Incident;
      simulator.setMoment(moment);
      if (isNew) {
        incident.happens?.(simulator);
      }
      await writeMachineLists(simulator, folder, moment, isNew ? incident : undefined);
      await people(index);
      const parts = await composeSimulatorParts({ simulator, settings, close }, folder, slot);
      const payloads: Payload[] = [];
      const alerts = parts.alerts && { ...parts.alerts, channels: parts.alerts.channels.map(record(payloads)) };
      const outcome = await runNight(
        { slot, moment, readRunContext: () => readRunContext(settings, folder, moment) },
        { ...parts, ...(alerts && { alerts }) },
      );
      const printed = formatOutcome(outcome, { settings, parts });
      const { attempt } = await readStandingCommit(folder);
      await look({
        incident: isNew ? incident.name : 'an ordinary run',
        slot,
        folder,
        environment,
        reports: join(folder, 'muster-data', 'runs', slot, attempt, 'reports'),
        printed: [...printed, ...(await readCurrentLines(parts.store))],
        payloads,
      });
    }
  } finally {
    await close();
  }
}

/** The channel as it is, which keeps what it rendered instead of sending it. */
function record(payloads: Payload[]) {
  return (channel: Channel): Channel => ({
    ...channel,
    async send(payload) {
      payloads.push({ channel, payload });
    },
  });
}

async function writeMachineLists(
  simulator: Simulator,
  folder: string,
  moment: Date,
  incident?: Incident,
): Promise<void> {
  const { expected, reporting } = simulator.machineLists();
  const write = async (name: string, text: string, days: number) => {
    const date = new Date(moment.getTime() - days * millisecondsPerDay);
    await writeFile(join(folder, name), text);
    await utimes(join(folder, name), date, date);
  };
  const lines = expected.split('\n').slice(0, incident?.isListCut ? 40 : undefined);
  await write('machines.csv', lines.join('\n'), 0.1);
  await write('console.csv', reporting, incident?.listAge ?? 0.1);
}

/** Exemptions and acknowledgements with each result; from the second run on. */
async function writePeopleFiles(simulator: Simulator, folder: string, first: string) {
  const numbered = simulator.listRecords().filter(({ serialNumber }) => (serialNumber ?? '').trim().length > 5);
  const lacking = numbered.filter(({ hasAgent }) => !hasAgent).map(({ serialNumber }) => serialNumber);
  const toDate = (days: number) =>
    new Date(toMoment(first).getTime() + days * millisecondsPerDay).toISOString().slice(0, 10);
  const exemptions = [
    `serial,${lacking[0]},,lab machine,it@example.com,${toDate(400)}`,
    `serial,${lacking[1]},,kiosk,it@example.com,${toDate(20)}`,
    `serial,${lacking[2]},,on loan,it@example.com,${toDate(12)}`,
    `serial,C02SOLD0001,,sold,it@example.com,${toDate(400)}`,
    `serial,${lacking[3]},,,it@example.com,${toDate(400)}`,
  ];
  const acknowledgements = [
    `${lacking[4]},ada@example.com,${toDate(400)},IT-1201,on loan`,
    `${lacking[5]},ada@example.com,${toDate(12)},IT-1202,in the cellar`,
    `C02SOLD0002,ada@example.com,${toDate(400)},IT-1203,sold`,
    `${lacking[6]},,${toDate(400)},IT-1204,`,
  ];
  return async (index: number) => {
    const shown = (rows: readonly string[]) => (index === 0 ? [] : rows);
    const write = (name: string, rows: readonly string[]) => writeFile(join(folder, name), `${rows.join('\n')}\n`);
    await write('exemptions.csv', ['match,value,source,reason,owner,expires', ...shown(exemptions)]);
    await write('acknowledged.csv', ['serial,by,until,ticket,note', ...shown(acknowledgements)]);
  };
}
