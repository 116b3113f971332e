/**
 * Builds the digest of a message: changes first, then what needs action, and counts for the rest. Pure; a channel may
 * select events, and has its own figures where it asks for some places only.
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
  /** The number of the run's commit; for a failed run, the newest before it. A slot can have several. */
  readonly commit: number;
  /** A sentence that is enough to read. */
  readonly title: string;
  /** The coverage with its interval and its causes, and why it moved. */
  readonly figures?: string;
  readonly sections: readonly DigestSection[];
  /** Number of sections that are only in the report. */
  readonly further: number;
  readonly kinds: readonly DigestEventKind[];
  readonly severity: Severity;
  /** The address of the report, which is never a pre-signed one. */
  readonly link?: string;
}

export interface DigestSection extends SectionLines {
  readonly title: string;
  /** The action that the section asks of a person. */
  readonly ask: string;
  /** Number of devices or alerts in the section. */
  readonly count: number;
  /** Number of those without a line; the report has them. */
  readonly more: number;
}

/** The content of a message: the digest, and the single events. */
export interface AlertMessage {
  readonly digest: Digest;
  readonly events: readonly DigestEvent[];
}

/** Limits of lists, so that a person reads them. */
const maximumEventLines = 10;
const maximumSections = 24;

interface RunMessageOptions {
  readonly link?: string | undefined;
  readonly lead?: DigestSection | undefined;
  /** True where nothing is urgent, and the oldest event has waited for a week. */
  readonly isSummary?: boolean;
  /** The selection of the channel: its lists are complete where it names places. */
  readonly only?: EventSelection | undefined;
}

/** The run of a message, and the figures to show. */
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

/** Changes on the run's page that open no alert; left out where the figures are not of all devices. */
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

/** Points below which a change of the coverage is not mentioned. */
const leastPoints = 0.1;

/** Explains the change of the coverage, where the figures are those of all devices. */
function explainMove({ difference, figures }: MessageRun): string[] {
  const { where = '' } = figures;
  if (difference === undefined || where !== '' || Math.abs(difference[findLargestMove(difference)]) < leastPoints) {
    return [];
  }
  return [explainLargestMove(difference, figures)];
}

/** The heading of a message: severity, agent and run. */
export function formatHeading({ about, severity, agent, slot }: Digest): string {
  const what = about === 'test' ? 'test' : `run of ${slot}`;
  return `${about === 'test' ? '' : `${severityWords[severity]} – `}${agent} – ${what}`;
}

const severityWords: Readonly<Record<Severity, string>> = { error: 'Error', warning: 'Warning', info: 'Information' };

/** Shortens a digest to the given number of lines in each section, and of sections; counts the rest. */
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
  /** True where there is a line for each event, however many there are. */
  readonly isComplete: boolean;
}

/** Sections under a heading: one for each event that names several devices, one for all others. */
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

/** One line for each event; many devices of one source at once, as after a migration, share a line. */
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
