/** What `muster check` says of the channels: whether their secrets can be read and their servers answer. It sends no message. */
import type { Settings } from '../../compose/read-settings.ts';
import { createSecretReader } from '../../compose/secrets.ts';
import type { PreparedRun } from '../../compose/start.ts';
import { devicePlaces } from '../../core/facts/device-places.ts';
import type { Night } from '../../core/facts/judged.ts';
import { sendRequest } from '../../http/send-request.ts';
import { toPrintableText } from '../../reports/cell.ts';
import { type CheckReport, joinReports, tryOut } from './check-report.ts';

/** Milliseconds for one address. */
const longestAnswer = 10_000;

export async function checkChannels({ settings }: Pick<PreparedRun, 'settings'>): Promise<CheckReport> {
  const { channels, heartbeat } = settings.alerts;
  const readSecret = createSecretReader(process.env);
  const addresses = [
    ...channels.flatMap((channel) => ('url' in channel ? [[channel.type, channel.url] as const] : [])),
    ...(heartbeat === undefined ? [] : [['heartbeat', heartbeat] as const]),
  ];
  const tried = addresses.map(([name, reference]) =>
    tryOut(`Reading the address of ${name}`, async () => {
      const address = URL.parse(await readSecret(reference)(false));
      if (address === null) {
        return { problems: [`The address of ${name} is not a URL.`] };
      }
      await askServer(address, name);
      return { facts: [`${name}: its server answers`] };
    }),
  );
  const untried = channels.flatMap((channel) =>
    'url' in channel ? [] : [`${channel.type}: not tried; muster alerts test sends a marked message`],
  );
  return joinReports([...(await Promise.all(tried)), { facts: untried, problems: [] }]);
}

/** Any answer shows that the server is there. The address itself is not called: a monitor would take it for a run. */
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

/** What `muster check` says of the alerts: what nobody would hear of, and which words of `only` match nothing. Pure. */
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
