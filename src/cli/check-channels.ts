/** What `muster check` says of the channels: whether their secrets can be read and their servers answer. It sends no message. */
import { createSecretReader } from '../compose/secrets.ts';
import { toMusterError } from '../errors.ts';
import type { Session } from './session.ts';

export interface ChannelReport {
  readonly facts: readonly string[];
  readonly problems: readonly string[];
}

/** Milliseconds for one address. */
const longestAnswer = 10_000;

export async function checkChannels({ settings }: Pick<Session, 'settings'>): Promise<ChannelReport> {
  const { channels, heartbeat } = settings.alerts;
  const readSecret = createSecretReader(process.env);
  const addresses = [
    ...channels.flatMap((channel) => ('url' in channel ? [[channel.type, channel.url] as const] : [])),
    ...(heartbeat === undefined ? [] : [['heartbeat', heartbeat] as const]),
  ];
  const tried = await Promise.all(
    addresses.map(async ([name, reference]) => {
      try {
        const address = URL.parse(await readSecret(reference));
        const problem =
          address === null ? `The address of ${name} is not a URL.` : await findUnreachable(address, name);
        return { name, problem };
      } catch (error) {
        return { name, problem: toMusterError(error, `Reading the address of ${name}`).message };
      }
    }),
  );
  const untried = channels.flatMap((channel) => ('url' in channel ? [] : [channel.type]));
  return {
    facts: [
      ...tried.flatMap(({ name, problem }) => (problem === undefined ? [`${name}: its server answers`] : [])),
      ...untried.map((name) => `${name}: not tried; muster alerts test sends a marked message`),
    ],
    problems: tried.flatMap(({ problem }) => problem ?? []),
  };
}

/** Any answer shows that the server is there. The address itself is not called: a monitor would take it for a run. */
async function findUnreachable(address: URL, name: string): Promise<string | undefined> {
  try {
    await fetch(new URL('/', address), {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(longestAnswer),
    });
    return undefined;
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'no answer';
    return `The server of ${name} could not be reached (${code}). Check its address and the way there.`;
  }
}

export function formatAlertReport({ facts, problems }: ChannelReport, hints: readonly string[]): string[] {
  const lines = [...facts.map((line) => `  ${line}`), ...[...problems, ...hints].map((line) => `  to do: ${line}`)];
  return lines.length === 0 ? [] : ['', 'alerts', ...lines];
}
