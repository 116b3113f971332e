/** The title of a message, which is enough to read: the coverage, and what to do. Pure. */
import { type SectionName, sections } from '../../core/facts/event-kinds.ts';
import type { Coverage } from '../../core/facts/state.ts';
import type { UnprovenCause } from '../../core/source/certainty.ts';
import { type CountedFigures, computeInterval } from '../../core/source/coverage.ts';
import { formatCount } from '../../core/text/format-count.ts';
import { pluralize } from '../../core/text/pluralize.ts';
import { type DigestEvent, type DigestEventKind, findSection, isNew } from './digest-event.ts';

/** The figures that a message shows. */
export interface DigestFigures extends CountedFigures {
  readonly soundness: Coverage['soundness'];
  /** Phrase for the devices that the figures count, if not all: ` of Berlin`. */
  readonly where?: string;
  /** Causes of the interval's width, largest first. */
  readonly unproven?: readonly UnprovenCause[];
}

export const sectionNames = Object.keys(sections) as readonly SectionName[];
const longestTitle = 4;

/**
 * The title: new things to do, in the order of the headings; otherwise "nothing to do", or "nothing new" above
 * reminders. The week's summary says so, and also names what is still to do.
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

/** The new state of a source, in words that follow its name. */
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
      // Left out where people take care of all of them.
      return devices === 0 ? [] : `${formatCount(devices)} ${brief}`;
    }
    const names = group.map(({ source = '' }) => source);
    return `${names.length > mostNames ? `${formatCount(names.length)} sources` : names.join(' and ')} ${text}`;
  });
}

/** Number of devices of an event, which can be about many; 0 where all of them are taken care of. */
function countDevices({ figures = {} }: DigestEvent): number {
  const { listed, overdue = listed, notListed = 0, devices = 1 } = figures;
  return overdue === undefined ? devices : listed === 0 ? 0 : overdue + notListed;
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
