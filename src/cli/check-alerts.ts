/** What `muster check` says of the alerts: what nobody would hear of, and which words of `only` match nothing. Pure. */
import type { Settings } from '../compose/read-settings.ts';
import type { Night } from '../core/judged.ts';
import { toPrintableText } from '../reports/cell.ts';

export function listAlertHints({ alerts, sources }: Settings, night: Pick<Night, 'devices'>): string[] {
  return [
    ...(alerts.channels.length === 0 ? ['No channel is set: nothing will be reported.'] : []),
    ...(alerts.heartbeat === undefined
      ? ['alerts.heartbeat is not set: nobody notices a run that never starts, hangs or is killed. See docs/alerts.md.']
      : []),
    ...alerts.channels.flatMap((channel) => listUnmatchedWords(channel, sources, night)),
  ];
}

const placeFields = ['site', 'department', 'building', 'category'] as const;

function listUnmatchedWords(
  { name, type, only = {} }: Settings['alerts']['channels'][number],
  sources: Settings['sources'],
  { devices }: Pick<Night, 'devices'>,
): string[] {
  const called = `The channel ${name ?? type}`;
  const names = new Set(sources.map((source) => source.name));
  const unknownSources = (only.source ?? []).filter((word) => !names.has(word));
  return [
    ...unknownSources.map(
      (word) => `${called} asks for the source "${toPrintableText(word)}", which is not in the settings.`,
    ),
    ...placeFields.flatMap((field) => {
      const known = new Set(devices.map(({ facts }) => facts[field]));
      const unknown = (only[field] ?? []).filter((word) => !known.has(word));
      return unknown.map((word) => `${called} asks for the ${field} "${toPrintableText(word)}", which no device has.`);
    }),
  ];
}
