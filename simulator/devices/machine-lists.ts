/** The company's two lists beside its platforms: machines that it bought, and machines that the agent's own console has seen. */
import { millisecondsPerDay } from './contact-times.ts';
import type { Mac, SimulatedDevices, WindowsDevice } from './model.ts';
import { createPerson, createSerialNumber, drawDepartment } from './names.ts';
import { probability } from './probabilities.ts';
import { drawBelow, drawChance, drawChoice, purpose } from './random.ts';

export interface MachineLists {
  /** `serial,owner,site,department,bought,until,note`. */
  readonly expected: string;
  /** Export of the console: `Host,Serial Number,Last Seen`. */
  readonly reporting: string;
}

const fewestUnenrolled = 3;
const nightsPerPurchase = 5;
/** The first ordinal that no device reaches. */
const firstUnenrolledOrdinal = 900_000;
const longestSilenceInDays = 40;
const shortestSilenceInDays = 10;

export function renderMachineLists(devices: SimulatedDevices, moment: number): MachineLists {
  const known = [...devices.macs, ...devices.windows].filter(({ replaced }) => !replaced);
  const contradicted = known.find(isContradicted);
  return {
    expected: toCsv([
      ['serial', 'owner', 'site', 'department', 'bought', 'until', 'note'],
      ...known.filter((device) => isOnList(devices, device)).map((device) => toExpectedRow(devices, device)),
      ...listUnenrolled(devices),
    ]),
    reporting: toCsv([
      ['Host', 'Serial Number', 'Last Seen'],
      ...known
        .filter((device) => device === contradicted || device.agent.hasAgent)
        .map((device) => toReportingRow(devices, device, moment)),
    ]),
  };
}

/** Whether its platform clearly says that the agent is missing, although the console has seen it. */
function isContradicted({ isEdgeCase, agent, contact, serialNumber }: Mac | WindowsDevice): boolean {
  const held = 'stateRows' in agent ? agent.stateRows : (agent.attributeEntry?.values ?? []);
  return !isEdgeCase && !agent.hasAgent && held.length > 0 && contact.kind === 'regular' && serialNumber !== null;
}

function isOnList({ seed }: SimulatedDevices, { ordinal, serialNumber }: Mac | WindowsDevice): boolean {
  return serialNumber !== null && !drawChance(probability.notOnList, seed, ordinal, purpose.machineLists);
}

/** A row of the list, the only place where the company has the site and department of its Windows machines. */
function toExpectedRow({ seed }: SimulatedDevices, device: Mac | WindowsDevice) {
  const { ordinal, userOrdinal, serialNumber } = device;
  const site = 'site' in device ? siteNames[device.site] : undefined;
  return [serialNumber ?? '', ...drawPlace(seed, userOrdinal, site), drawPurchase(seed, ordinal), '', ''];
}

/** Machines that were never enrolled: some from the beginning, and now and then one more. */
function listUnenrolled({ seed, initialCount, night }: SimulatedDevices): string[][] {
  const first = Math.max(fewestUnenrolled, Math.round(initialCount * probability.neverEnrolled));
  return Array.from({ length: first + Math.floor(Math.max(0, night) / nightsPerPurchase) }, (_, index) => {
    const ordinal = firstUnenrolledOrdinal + index;
    const note = index === 0 ? 'still in its box' : '';
    return [
      createSerialNumber(seed, ordinal, 'C02'),
      ...drawPlace(seed, ordinal),
      drawPurchase(seed, ordinal),
      '',
      note,
    ];
  });
}

const siteNames = { headquarters: 'Headquarters', branch: 'Branch' } as const satisfies Record<Mac['site'], string>;

function drawPlace(
  seed: number,
  ordinal: number,
  site: string = drawChoice(Object.values(siteNames), seed, ordinal, purpose.machineLists, 1),
): [owner: string, site: string, department: string] {
  return [createPerson(seed, ordinal).email, site, drawDepartment(seed, ordinal)?.name ?? ''];
}

function drawPurchase(seed: number, ordinal: number): string {
  const day = Date.UTC(2025, 0, 1) + drawBelow(365, seed, ordinal, purpose.machineLists, 2) * millisecondsPerDay;
  return new Date(day).toISOString().slice(0, 10);
}

/** A row of the console: an agent that stopped was seen before the first night, any other within the last hours. */
function toReportingRow({ seed, startTime }: SimulatedDevices, device: Mac | WindowsDevice, moment: number): string[] {
  const { ordinal, name, serialNumber, contact, agent } = device;
  const isSilent =
    agent.hasAgent &&
    (contact.kind === 'silent' || drawChance(probability.agentStopped, seed, ordinal, purpose.machineLists, 3));
  const days =
    shortestSilenceInDays +
    drawBelow(longestSilenceInDays - shortestSilenceInDays, seed, ordinal, purpose.machineLists, 4);
  const hours = drawBelow(12, seed, ordinal, purpose.machineLists, 5);
  const seen = isSilent ? startTime - days * millisecondsPerDay : moment - hours * (millisecondsPerDay / 24);
  return [name ?? '', serialNumber ?? '', new Date(seen).toISOString()];
}

function toCsv(rows: readonly (readonly string[])[]): string {
  return `${rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\n')}\n`;
}
