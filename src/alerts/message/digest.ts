/**
 * One digest for each run: what changed first, then what needs action, and counts for the rest. Pure; every channel
 * shows the same one.
 */

import { omitUndefined } from '../../base/omit-undefined.ts';
import { maximumNamedDevices } from '../../core/facts/alert-event.ts';
import { type SectionName, type Severity, sections } from '../../core/facts/event-kinds.ts';
import { alertHolds, type Night } from '../../core/facts/judged.ts';
import { explainInterval } from '../../core/source/certainty.ts';
import { explainLargestMove, findLargestMove } from '../../core/source/difference.ts';
import { formatCount } from '../../core/text/format-count.ts';
import { isAboutPlaces } from './channel-scope.ts';
import {
  type DigestEvent,
  type DigestEventKind,
  determineSeverity,
  type EventSelection,
  findSection,
  findWorstSeverity,
  isNew,
} from './digest-event.ts';
import {
  type DigestLine,
  type SectionLines,
  sortLongestMissingFirst,
  toDeviceLine,
  toSectionLines,
} from './digest-lines.ts';
import {
  type DigestFigures,
  formatDigestTitle,
  formatFigures,
  formatTitleWithCount,
  sectionNames,
} from './digest-title.ts';
import { formatAlertLine, formatDeviceLine, formatListedDevice } from './event-lines.ts';
import { toSafeText } from './safe-text.ts';

export interface Digest {
  readonly about: 'night' | 'failure' | 'test';
  readonly agent: string;
  readonly slot: string;
  /** The number of the run's commit; of a run that failed, the newest before it. A slot can have several. */
  readonly commit: number;
  /** One sentence that is enough to read. */
  readonly title: string;
  /** The coverage with its interval, and how many devices need action. */
  readonly figures?: string;
  readonly sections: readonly DigestSection[];
  /** Sections that are only in the report. */
  readonly further: number;
  readonly kinds: readonly DigestEventKind[];
  readonly severity: Severity;
  /** The address of the report; never a pre-signed one. */
  readonly link?: string;
}

export interface DigestSection extends SectionLines {
  readonly title: string;
  /** What the section asks of a person. */
  readonly ask: string;
  /** How many devices or alerts it is about. */
  readonly count: number;
  /** How many more there are; they are in the report. */
  readonly more: number;
}

/** The content of a message: the digest for people, and the single events. */
export interface AlertMessage {
  readonly digest: Digest;
  readonly events: readonly DigestEvent[];
}

/** No list longer than a person reads. */
const maximumEventLines = 10;
const maximumSections = 24;

interface RunMessageOptions {
  readonly link?: string | undefined;
  readonly lead?: DigestSection | undefined;
  /** Nothing in it is urgent: it is sent because the oldest of it has waited for a week. */
  readonly isSummary?: boolean;
  /** The selection of the channel: its lists are whole where it names places. */
  readonly only?: EventSelection | undefined;
}

/** The run that a message is about, and the figures that it shows. */
export interface MessageRun extends Pick<Night, 'agent' | 'slot'>, Pick<Digest, 'commit'> {
  readonly figures: DigestFigures;
  readonly difference?: Night['difference'] | undefined;
  /** Changes of the run that get no alert in it. */
  readonly later?: Night['later'];
}

export function buildRunMessage(
  run: MessageRun,
  events: readonly DigestEvent[],
  { link, lead, only, isSummary = false }: RunMessageOptions = {},
): AlertMessage {
  const { figures } = run;
  const all = [
    ...(lead === undefined ? [] : [lead]),
    ...buildSections(events, link, isAboutPlaces(only)),
    ...buildLaterSection(run),
  ];
  const digest: Digest = {
    about: 'night',
    agent: toSafeText(run.agent, 60),
    slot: run.slot,
    commit: run.commit,
    title: [...(lead === undefined ? [] : [lead.title]), formatDigestTitle(figures, events, isSummary)].join(': '),
    figures: [formatFigures(figures), ...explainCertainty(figures), ...explainMove(run)].join(' '),
    sections: all.slice(0, maximumSections),
    further: Math.max(0, all.length - maximumSections),
    kinds: [...new Set(events.map(({ kind }) => kind))],
    severity: findWorstSeverity(events.filter(isNew).map(({ kind, phase }) => determineSeverity(kind, phase))),
    ...omitUndefined({ link }),
  };
  return { digest, events };
}

const changeWords = { 'device.lost': 'lost the agent', 'device.new-not-installed': 'came without it' } as const;

/** The changes of the run on its page that no alert in the message is about; of all devices alone. */
function buildLaterSection({ later = [], figures: { where = '' } }: MessageRun): DigestSection[] {
  if (later.length === 0 || where !== '') {
    return [];
  }
  const count = later.reduce((sum, { devices }) => sum + devices, 0);
  const lines = [...Map.groupBy(later, ({ kind }) => kind)].map(([kind, group]) => {
    const all = group.reduce((sum, { devices }) => sum + devices, 0);
    const reasons = group.map(({ why, devices }) => `${formatCount(devices)} ${alertHolds[why]}`);
    return `${formatCount(all)} ${changeWords[kind]} in this run: ${reasons.join(', ')}`;
  });
  const title = formatTitleWithCount('Changes without an alert', count);
  return [
    { title, ask: 'Each gets its alert in the first run in which nothing holds it back.', count, lines, more: 0 },
  ];
}

function explainCertainty({ unproven = [], ...figures }: DigestFigures): string[] {
  return [explainInterval(unproven, figures) ?? []].flat();
}

/** Less than that is no news. */
const leastPoints = 0.1;

/** Only where the figures are those of all devices: a channel of some places has its own. */
function explainMove({ difference, figures }: MessageRun): string[] {
  const { where = '' } = figures;
  if (difference === undefined || where !== '' || Math.abs(difference[findLargestMove(difference)]) < leastPoints) {
    return [];
  }
  return [explainLargestMove(difference, figures)];
}

/** What the message is, as its heading: how bad, which agent, which run. */
export function formatHeading({ about, severity, agent, slot }: Digest): string {
  const what = about === 'test' ? 'test' : `run of ${slot}`;
  return `${about === 'test' ? '' : `${severityWords[severity]} – `}${agent} – ${what}`;
}

const severityWords: Readonly<Record<Severity, string>> = { error: 'Error', warning: 'Warning', info: 'Information' };

/** The same digest with at most so many sections and lines in each; it counts what is left out. */
export function shortenDigest(digest: Digest, lines: number, most = digest.sections.length): Digest {
  const shortenedSections = digest.sections.slice(0, most).map((section) => {
    const shown = section.lines.slice(0, lines);
    const names = section.names?.slice(0, lines);
    const links = section.links?.slice(0, lines);
    const more = section.more + section.lines.length - shown.length;
    return { ...section, lines: shown, ...omitUndefined({ names, links }), more };
  });
  const left = digest.sections.length - shortenedSections.length;
  return { ...digest, sections: shortenedSections, further: digest.further + left };
}

export function buildSections(events: readonly DigestEvent[], link?: string, isComplete = false): DigestSection[] {
  return sectionNames.flatMap((name) => {
    const own = events.filter((event) => findSection(event) === name);
    return buildHeadingSections(name, own, { page: link, isComplete });
  });
}

interface ListOptions {
  readonly page: string | undefined;
  /** A line for each event, however many there are. */
  readonly isComplete: boolean;
}

/** An event that names several devices has a section of its own; the others share their heading's. */
function buildHeadingSections(
  name: SectionName,
  ownEvents: readonly DigestEvent[],
  list: ListOptions,
): DigestSection[] {
  const { page } = list;
  const withoutList = ownEvents.filter(({ first }) => first === undefined);
  const { title, ask } = sections[name];
  const shared: DigestSection[] = [];
  if (withoutList.length > 0) {
    const { lines, more } = formatEventLines(withoutList, list);
    const count = withoutList.length;
    shared.push({ title: formatTitleWithCount(title, count), ask, count, ...toSectionLines(lines), more });
  }
  const own = ownEvents.flatMap(({ first, ...event }) => (first === undefined ? [] : [{ event, first }]));
  return [
    ...own.map(({ event, first }): DigestSection => {
      const { notInstalled, affected, listed } = event.figures ?? {};
      const sorted = sortLongestMissingFirst(first, (device) => ({ device, slot: event.slot }));
      const lines = sorted.map((device) =>
        toDeviceLine(formatListedDevice(device), device, device.source ?? event.source, page),
      );
      const count = Math.max(first.length, notInstalled ?? affected ?? listed ?? 0);
      const more = count - first.length;
      return { title: `${title} – ${formatAlertLine(event)}`, ask, count, ...toSectionLines(lines), more };
    }),
    ...shared,
  ];
}

/** One line for each event; devices of one source that come in numbers, as after a migration, are one line. */
function formatEventLines(events: readonly DigestEvent[], { page, isComplete }: ListOptions) {
  const devices = events.filter(({ kind }) => kind === 'device.new-not-installed');
  const crowds = [...Map.groupBy(devices, ({ source = '' }) => source)].filter(
    ([, group]) => !isComplete && group.length > maximumNamedDevices,
  );
  const crowded = new Set(crowds.flatMap(([, group]) => group));
  const single = sortLongestMissingFirst(
    events.filter((event) => !crowded.has(event)),
    ({ device, slot }) => ({ device, slot }),
  );
  const counts = crowds.map(
    ([source, { length }]): DigestLine => ({
      text: `${source}: ${formatCount(length)} devices came at once; the report lists them.`,
    }),
  );
  const lines = single.slice(0, isComplete ? undefined : maximumEventLines - counts.length).map((event): DigestLine => {
    const { device, source } = event;
    return device === undefined
      ? { text: formatAlertLine(event) }
      : toDeviceLine(formatDeviceLine(event), device, source, page);
  });
  return { lines: [...counts, ...lines], more: single.length - lines.length };
}
