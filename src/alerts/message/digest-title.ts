/** The sentence that is enough to read: the coverage, and what to do. Pure. */
import { type SectionName, sections } from '../../core/facts/event-kinds.ts';
import type { Coverage } from '../../core/facts/state.ts';
import type { UnprovenCause } from '../../core/source/certainty.ts';
import { type CountedFigures, computeInterval } from '../../core/source/coverage.ts';
import { formatCount } from '../../core/text/format-count.ts';
import { pluralize } from '../../core/text/pluralize.ts';
import { type DigestEvent, type DigestEventKind, findSection, isNew } from './digest-event.ts';

/** What a message says of the number of devices. */
export interface DigestFigures extends CountedFigures {
  readonly soundness: Coverage['soundness'];
  /** Which devices it counts, where it is not all of them: `in Berlin`. */
  readonly where?: string;
  /** What makes the interval as wide as it is, largest first. */
  readonly unproven?: readonly UnprovenCause[];
}

export const sectionNames = Object.keys(sections) as readonly SectionName[];
const longestTitle = 4;

/**
 * The title names new things to do, in the order of the headings; "nothing to do" where nobody has to do anything, and
 * "nothing new" above reminders. The week's summary says that it is one, and names what is still to do as well.
 */
export function formatDigestTitle(figures: DigestFigures, events: readonly DigestEvent[], isSummary: boolean): string {
  const named = events.filter((event) => isNew(event) || (isSummary && event.phase === 'again'));
  const announced = Map.groupBy(named, findSection);
  const briefs = sectionNames.flatMap((name) => formatBriefs(name, announced.get(name) ?? []));
  const quiet = events.some(({ phase }) => phase === 'again') ? 'nothing new' : 'nothing to do';
  const shown = briefs.length === 0 ? [quiet] : briefs.slice(0, longestTitle);
  const { coverage } = computeInterval(figures);
  return [
    ...(isSummary ? ["the week's summary"] : []),
    coverage === '' ? 'no device is counted' : `${coverage} %`,
    ...shown,
    ...(briefs.length > shown.length ? ['and more'] : []),
  ].join(' · ');
}

/** What became of a source, behind its name. */
const sourceBriefs: Readonly<Partial<Record<DigestEventKind, string>>> = {
  'source.missing': 'not complete',
  'source.carried': 'not complete',
  'source.partial': 'not complete',
  'source.untrusted': 'not verified',
  'source.suspect': 'not plausible',
  'source.sound-again': 'complete again',
  'measurement.changed': 'measured differently',
};
const mostNames = 3;

function formatBriefs(name: SectionName, events: readonly DigestEvent[]): string[] {
  const { title, brief }: { readonly title: string; readonly brief?: string } = sections[name];
  const groups = Map.groupBy(events, ({ kind }) => sourceBriefs[kind] ?? brief ?? title);
  return [...groups].flatMap(([text, group]) => {
    if (text === title) {
      return formatTitleWithCount(title.charAt(0).toLowerCase() + title.slice(1), group.length);
    }
    if (text === brief) {
      const devices = group.reduce((sum, event) => sum + countDevices(event), 0);
      // Nothing is to do where all of them are taken care of.
      return devices === 0 ? [] : `${formatCount(devices)} ${brief}`;
    }
    const names = group.map(({ source = '' }) => source);
    return `${names.length > mostNames ? `${formatCount(names.length)} sources` : names.join(' and ')} ${text}`;
  });
}

/** An event can stand for many. */
function countDevices({ figures = {} }: DigestEvent): number {
  return figures.listed ?? figures.devices ?? 1;
}

export function formatTitleWithCount(title: string, count: number): string {
  return count > 1 ? `${title} (${formatCount(count)})` : title;
}

export function formatFigures({ soundness, where = '', ...counts }: DigestFigures): string {
  const { counted, notInstalled } = counts;
  if (counted === 0) {
    return `No device${where} is counted.`;
  }
  const { coverage, low, high } = computeInterval(counts);
  const incomplete = soundness === 'complete' ? '' : ' Not every source was complete.';
  return `${coverage} % of ${formatCount(counted)} ${pluralize(counted, 'device')}${where} ${pluralize(counted, 'has', 'have')} the agent (certainly ${low} %, at most ${high} %); ${formatCount(notInstalled)} ${pluralize(notInstalled, 'needs', 'need')} action.${incomplete}`;
}
