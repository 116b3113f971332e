/**
 * One digest a night: what changed first, whom to chase, counts for the rest. Pure; every channel shows the same one.
 * Nothing to say is no digest.
 */

import type { AlertEvent } from '../../core/alerts/alert-event.ts';
import { type SectionName, type Severity, sections } from '../../core/alerts/event-kinds.ts';
import { computeInterval } from '../../core/coverage.ts';
import type { Night } from '../../core/judged.ts';
import { pluralize } from '../../core/pluralize.ts';
import { formatAlertLine, formatDeviceLine, formatDeviceName } from './event-lines.ts';
import { toSafeText } from './safe-text.ts';
import { type DigestEvent, type DigestEventKind, determineSeverity, findWorstSeverity, sectionOf } from './severity.ts';

export interface Digest {
  readonly about: 'night' | 'failure' | 'test';
  readonly agent: string;
  readonly slot: string;
  /** One sentence a person can stop reading after. */
  readonly title: string;
  /** The coverage with its interval, and how many to chase. */
  readonly figures?: string;
  readonly sections: readonly DigestSection[];
  /** Sections that are only in the report. */
  readonly further: number;
  readonly kinds: readonly DigestEventKind[];
  readonly severity: Severity;
  /** Where the whole report is; never a pre-signed address. */
  readonly link?: string;
}

export interface DigestSection {
  readonly title: string;
  /** What the section asks of a person. */
  readonly ask: string;
  /** How many events it tells. */
  readonly count: number;
  /** One line a device or matter; the first ones only. */
  readonly lines: readonly string[];
  /** How many more there are, told in the report. */
  readonly more: number;
}

/** What there is to tell, for people and one by one. */
export interface AlertMessage {
  readonly digest: Digest;
  readonly events: readonly DigestEvent[];
}

/** No list longer than a person reads. */
const maximumEventLines = 10;
const maximumSections = 24;
const sectionNames = Object.keys(sections) as readonly SectionName[];

export function buildNightMessage(
  night: Night,
  events: readonly AlertEvent[],
  link: string | undefined,
): AlertMessage | undefined {
  if (events.length === 0) {
    return undefined;
  }
  const all = buildSections(events);
  const digest: Digest = {
    about: 'night',
    agent: toSafeText(night.agent, 60),
    slot: night.slot,
    title: formatDigestTitle(events),
    figures: formatFigures(night),
    sections: all.slice(0, maximumSections),
    further: Math.max(0, all.length - maximumSections),
    kinds: [...new Set(events.map(({ kind }) => kind))],
    severity: findWorstSeverity(events.map(({ kind, phase }) => determineSeverity(kind, phase))),
    ...(link === undefined ? {} : { link }),
  };
  return { digest, events };
}

/** The same digest with at most so many sections and lines in each; what is left out is counted. */
export function shortenDigest(digest: Digest, lines: number, most = digest.sections.length): Digest {
  const shortenedSections = digest.sections.slice(0, most).map((section) => {
    const shown = section.lines.slice(0, lines);
    return { ...section, lines: shown, more: section.more + section.lines.length - shown.length };
  });
  const left = digest.sections.length - shortenedSections.length;
  return { ...digest, sections: shortenedSections, further: digest.further + left };
}

export function buildSections(events: readonly DigestEvent[]): DigestSection[] {
  return sectionNames.flatMap((name) => buildHeadingSections(name, events));
}

/** An event that names several devices has a section of its own; the others share their heading's. */
function buildHeadingSections(name: SectionName, events: readonly DigestEvent[]): DigestSection[] {
  const mine = events.filter((event) => sectionOf(event) === name);
  const plainOnes = mine.filter(({ first }) => first === undefined);
  const { title, ask } = sections[name];
  const shared: DigestSection[] = [];
  if (plainOnes.length > 0) {
    const lines = plainOnes
      .slice(0, maximumEventLines)
      .map((event) => (event.device ? formatDeviceLine(event) : formatAlertLine(event)));
    shared.push({ title, ask, count: plainOnes.length, lines, more: plainOnes.length - lines.length });
  }
  const own = mine.flatMap(({ first, ...event }) => (first === undefined ? [] : [{ event, first }]));
  return [
    ...own.map(({ event, first }): DigestSection => {
      const { notInstalled, affected } = event.figures ?? {};
      const lines = first.map(
        (device) => `${formatDeviceName(device)}${device.since === undefined ? '' : `, since ${device.since}`}`,
      );
      const more = Math.max(0, (notInstalled ?? affected ?? first.length) - first.length);
      return { title: `${title} – ${formatAlertLine(event)}`, ask, count: 1, lines, more };
    }),
    ...shared,
  ];
}

/** Counts in the order of the headings. */
function formatDigestTitle(events: readonly DigestEvent[]): string {
  const told = sectionNames.flatMap((name) => {
    const count = events.filter((event) => sectionOf(event) === name).length;
    return count === 0 ? [] : [`${sections[name].title} (${count})`];
  });
  return told.length > 3 ? `${told.slice(0, 3).join(', ')} and more` : told.join(', ');
}

function formatFigures({ coverage }: Night): string {
  const all = coverage.at(-1);
  if (all === undefined || all.counted === 0) {
    return 'No device is counted.';
  }
  const { coverage: headline, low, high } = computeInterval(all);
  const whole = all.soundness === 'complete' ? '' : ' Not every source was complete.';
  return `${headline} % of ${all.counted} ${pluralize(all.counted, 'device has', 'devices have')} it (certainly ${low} %, at most ${high} %); ${all.notInstalled} to chase.${whole}`;
}
