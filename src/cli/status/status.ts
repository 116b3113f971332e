/** `muster status`: shows the status after the last run. Contacts no platform and writes nothing. */
import type { WaitingMessages } from '../../alerts/delivery/deliver-to-channel.ts';
import { command } from '../../base/command.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import type { Settings } from '../../compose/read-settings.ts';
import { eventKinds, sections } from '../../core/facts/event-kinds.ts';
import type { AlertState } from '../../core/facts/remembered.ts';
import { isNarrow } from '../../core/source/certainty.ts';
import type { RunFigures } from '../../core/source/difference.ts';
import { formatCount } from '../../core/text/format-count.ts';
import { pluralize } from '../../core/text/pluralize.ts';
import { showWord } from '../../core/text/shown-words.ts';
import { systemClock } from '../../http/clock.ts';
import { toPrintableText } from '../../reports/cell.ts';
import { toFigures } from '../../reports/document/trend.ts';
import { answeredInFull, overviewTexts } from '../../reports/page/shared/texts.ts';
import { formatZonedMoment } from '../../settings/schedule/zoned-time.ts';
import { type JsonOptions, printJson, printLines } from '../console/session.ts';
import { formatHeadline } from '../console/summary.ts';
import {
  isHealthy,
  isPublished,
  type PublishedStatus,
  readStatus,
  type Status,
  type UnsoundSource,
} from './read-status.ts';

/** Prints the status; returns 0 where the last scheduled run is published, complete, sound and delivered, otherwise 3. */
export async function showStatus({ settings: settingsFile, json }: JsonOptions): Promise<number> {
  const status = await readStatus(settingsFile, systemClock.now());
  const exit = isHealthy(status) ? 0 : 3;
  return json ? printJson(describeStatus(status), exit) : printLines(formatStatus(status), exit);
}

/** The status for programs, with the names and words of report.json; docs/schemas/muster.status.v1.json is its schema. */
function describeStatus(status: Status) {
  const { settings, store, published, due, next } = status;
  return {
    agent: settings.agent.name,
    store,
    isHealthy: isHealthy(status),
    ...(published && describePublished(published)),
    due: { slot: due.slot, at: due.moment.toISOString(), isPublished: isPublished(status) },
    ...omitUndefined({ next: next?.toISOString() }),
  };
}

function describePublished({ run, coverage, unproven, unsound, alerts, undelivered }: PublishedStatus) {
  const { slot, number, at } = run.commit;
  return {
    last: { slot, number, at, coverage: coverage.map(toFigures), unproven },
    unsound,
    openAlerts: [...Map.groupBy(alerts, ({ kind }) => kind)].map(([kind, { length: alertCount }]) => ({
      kind,
      alerts: alertCount,
    })),
    undelivered,
  };
}

function formatStatus(status: Status): string[] {
  const { settings, store, published, due, next } = status;
  const { timezone } = settings.schedule;
  const late = `The run of ${due.slot} was due at ${formatZonedMoment(timezone, due.moment)} and is not published. Start it: ${command} run`;
  return [
    toPrintableText(`${settings.agent.name} – ${store}`),
    '',
    ...(published === undefined ? ['No run is published yet.'] : formatPublished(published, settings)),
    ...(isPublished(status) ? [] : [late]),
    next === undefined
      ? 'No further run: schedule.cron names no date to come.'
      : `Next run due: ${formatZonedMoment(timezone, next)}`,
  ];
}

function formatPublished(published: PublishedStatus, { schedule, alerts: { channels } }: Settings): string[] {
  const { run, coverage, unproven, unsound, alerts, undelivered } = published;
  const { slot, at, number } = run.commit;
  const all = coverage.at(-1);
  return [
    `Run of ${slot}, published ${formatZonedMoment(schedule.timezone, new Date(at))} (number ${number})`,
    ...(all === undefined ? [] : formatHeadline(all, unproven)),
    ...(unsound.length === 0 ? [describeSound(all)] : ['Not complete and sound:', ...unsound.map(formatUnsound)]),
    '',
    ...formatAlerts(alerts),
    ...(channels.length === 0 ? ['No channel is set: nothing will be reported.'] : formatUndelivered(undelivered)),
  ];
}

/** As the banner of the page says it. */
function describeSound(all: RunFigures | undefined): string {
  return all === undefined || isNarrow(all) ? overviewTexts.complete : `Complete, but not certain: ${answeredInFull}`;
}

function formatUnsound({ source, soundness, message }: UnsoundSource): string {
  return `  ${source}: ${showWord(soundness)}${message === undefined ? '' : ` – ${toPrintableText(message)}`}`;
}

/** Lines with the number of open alerts under each heading of messages. */
function formatAlerts(alerts: readonly AlertState[]): string[] {
  if (alerts.length === 0) {
    return ['No alert is open.'];
  }
  const groups = [...Map.groupBy(alerts, ({ kind }) => sections[eventKinds[kind].section].title)];
  const { length } = alerts;
  return [
    `${formatCount(length)} open ${pluralize(length, 'alert')} (${command} alerts show):`,
    ...groups.map(([title, { length: count }]) => `  ${formatCount(count).padStart(6)}  ${title}`),
  ];
}

function formatUndelivered(undelivered: readonly WaitingMessages[]): string[] {
  return undelivered.length === 0
    ? ['Every message is delivered.']
    : undelivered.map(
        ({ channel, since, messages }) =>
          `Not delivered: ${channel}, ${messages} ${pluralize(messages, 'message')} since ${since}. The next run tries again first.`,
      );
}
