/** Checks the channels for `muster check`: secrets can be read, servers answer and accept sign-ins. Sends no message. */
import type { Channel } from '../../alerts/channel.ts';
import { MusterError } from '../../base/errors.ts';
import { startTimeLimit } from '../../base/time-limit.ts';
import type { Settings } from '../../compose/read-settings.ts';
import { createSecretReader } from '../../compose/secrets.ts';
import type { PreparedRun } from '../../compose/start.ts';
import { devicePlaces } from '../../core/facts/device-places.ts';
import type { Night } from '../../core/facts/judged.ts';
import { systemClock } from '../../http/clock.ts';
import { nameProxy } from '../../http/connection-failures.ts';
import { findProxy } from '../../http/proxy.ts';
import { sendRequest } from '../../http/send-request.ts';
import { toPrintableText } from '../../reports/cell.ts';
import { type CheckReport, joinReports, tryOut } from './check-report.ts';

/** Milliseconds for each server. */
const longestAnswer = 10_000;

export async function checkChannels({
  settings,
  parts,
}: Pick<PreparedRun, 'settings' | 'parts'>): Promise<CheckReport> {
  const { channels, heartbeat } = settings.alerts;
  const tried = channels.map((channel, index) => {
    const { type, name = type } = channel;
    return 'url' in channel ? checkAddress(name, channel.url) : checkConnection(name, parts.alerts?.channels[index]);
  });
  return joinReports(
    await Promise.all([...tried, ...(heartbeat === undefined ? [] : [checkAddress('heartbeat', heartbeat)])]),
  );
}

function checkAddress(name: string, reference: string): Promise<CheckReport> {
  return tryOut(`Reading the address of ${name}`, async () => {
    const address = URL.parse(await createSecretReader(process.env)(reference)(false));
    if (address === null) {
      return { problems: [`The address of ${name} is not a URL.`] };
    }
    await askServer(address, name);
    return { facts: [`${name}: its server answers${nameProxy(findProxy(address))}`] };
  });
}

async function checkConnection(name: string, channel: Channel | undefined): Promise<CheckReport> {
  const proxy = nameProxy(channel?.server && findProxy(channel.server));
  const hint = 'muster alerts test sends a marked message';
  const { facts, problems } = await tryOut(`Signing in for ${name}`, async () => {
    if (channel?.tryConnection === undefined) {
      return { facts: [`${name}: not tried${proxy}; ${hint}`] };
    }
    const late = `The server of ${name} did not accept the sign-in within ${longestAnswer / 1000} s.`;
    using limit = startTimeLimit(longestAnswer, new MusterError('request-timed-out', late));
    const deadline = systemClock.elapsed() + longestAnswer;
    await channel.tryConnection({ clock: systemClock, signal: limit.signal, deadline });
    return { facts: [`${name}: connected${proxy}; ${hint}`] };
  });
  return { facts, problems: problems.map((problem) => `${name}: ${problem}`) };
}

/** Contacts a server; any answer is enough. Uses the origin alone: a monitor would count its address as a run. */
async function askServer({ origin }: URL, name: string): Promise<void> {
  await sendRequest({
    url: new URL(origin),
    request: { method: 'HEAD', url: origin },
    authorization: undefined,
    who: `The server of ${name}`,
    name: `HEAD ${origin}`,
    idle: longestAnswer,
    signal: new AbortController().signal,
  });
}

/** Hints about the alerts: events that no channel reports, and words of `only` that match nothing. Pure. */
export function listAlertHints({ alerts, sources }: Settings, night: Pick<Night, 'devices'>): string[] {
  return [
    ...(alerts.channels.length === 0 ? ['No channel is set: nothing will be reported.'] : []),
    ...(alerts.heartbeat === undefined
      ? ['alerts.heartbeat is not set: nobody notices a run that never starts, hangs or is killed. See docs/alerts.md.']
      : []),
    ...alerts.channels.flatMap((channel) => listUnmatchedWords(channel, sources, night)),
  ];
}

function listUnmatchedWords(
  { name, type, only = {} }: Settings['alerts']['channels'][number],
  sources: Settings['sources'],
  { devices }: Pick<Night, 'devices'>,
): string[] {
  const fields = [
    ['source', sources.map((source) => source.name), 'is not in the settings'] as const,
    ...devicePlaces.map((field) => [field, devices.map(({ facts }) => facts[field]), 'no device has'] as const),
  ];
  return fields.flatMap(([field, known, why]) => {
    const unknown = (only[field] ?? []).filter((word) => !known.includes(word));
    return unknown.map(
      (word) => `The channel ${name ?? type} asks for the ${field} "${toPrintableText(word)}", which ${why}.`,
    );
  });
}
