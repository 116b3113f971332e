/** Plans what a dry run would do: the differences from the current run, the messages to send, and the files. */
import { selectChannelEvents } from '../alerts/delivery/compose-message.ts';
import { decideDue } from '../alerts/delivery/decide-due.ts';
import { describeRunEvents } from '../alerts/delivery/list-channels.ts';
import { buildRunMessage } from '../alerts/message/digest.ts';
import { omitUndefined } from '../base/omit-undefined.ts';
import type { Night } from '../core/facts/judged.ts';
import { formatCount } from '../core/text/format-count.ts';
import { pluralize } from '../core/text/pluralize.ts';
import { compareRuns } from '../reports/compare-runs.ts';
import type { Parts } from '../run/parts.ts';
import { judgeKeptRun } from '../run/rebuild.ts';
import type { PublishedRun } from '../storage/commits/commit.ts';
import { readCurrentRun } from '../storage/commits/log.ts';
import { readRunEvents } from '../storage/runs/events-record.ts';
import { countChanges, formatBothFigures, formatChanges } from './diff.ts';

interface PlannedMessage {
  readonly channel: string;
  /** `later`: the events wait for the channel's summary. */
  readonly due: 'nothing' | 'later' | 'due';
  readonly events: number;
  /** The title of a message to people. */
  readonly title?: string;
}

export interface RunPlan {
  /** The run with which it is compared; undefined before the first one. */
  readonly current: { readonly run: PublishedRun; readonly night: Night } | undefined;
  readonly messages: readonly PlannedMessage[];
  readonly files: readonly { readonly file: string; readonly rows?: number }[];
}

type PlanParts = Pick<Parts, 'store' | 'tables' | 'reports' | 'rules' | 'alerts'>;

export async function planRun(night: Night, parts: PlanParts): Promise<RunPlan> {
  const { store, rules, tables, reports = [] } = parts;
  const run = await readCurrentRun(store);
  const kept = run && (await judgeKeptRun(store, run.commit.slot, rules));
  return {
    current: kept && { run: kept.run, night: kept.night },
    messages: await planMessages(night, run, parts),
    files: [
      ...tables.map((table) => ({ file: `${table.name}.csv`, rows: [...table.rows(night)].length })),
      ...reports.map(({ file }) => ({ file })),
    ],
  };
}

async function planMessages(night: Night, run: PublishedRun | undefined, { store, alerts }: PlanParts) {
  const { channels = [] } = alerts ?? {};
  const before = run === undefined ? [] : (await readRunEvents(store, run)).channels;
  const number = (run?.commit.number ?? 0) + 1;
  const events = describeRunEvents(night, channels, { number, before });
  return channels.map((channel): PlannedMessage => {
    const own = selectChannelEvents(channel, { runs: [{ events }] });
    const due = decideDue(channel, { first: number, events: own, slot: night.slot, missed: 0 }, alerts ?? {});
    const { digest } = buildRunMessage({ ...events, commit: number }, own, omitUndefined({ only: channel.only }));
    const title = due === 'due' && channel.audience === 'people' ? digest.title : undefined;
    return { channel: channel.name, due, events: own.length, ...omitUndefined({ title }) };
  });
}

/** The plan in the form of `--json`. */
export function describePlan(night: Night, { current, messages, files }: RunPlan) {
  return {
    ...(current && { from: current.run.commit.slot, changes: countChanges(compareRuns(current.night, night).changes) }),
    messages,
    files,
  };
}

/** Devices to name; `diff` names all once the run is published. */
const mostNamed = 20;

export function formatPlan(night: Night, { current, messages, files }: RunPlan, store: string): string[] {
  return [
    ...(current === undefined
      ? ['The first run would be published: nothing is there to compare it with.']
      : formatCurrent(night, current)),
    '',
    ...formatMessages(messages),
    '',
    `Files that would be written to ${store}:`,
    ...files.map(
      ({ file, rows }) => `  ${file}${rows === undefined ? '' : `, ${formatCount(rows)} ${pluralize(rows, 'row')}`}`,
    ),
  ];
}

function formatCurrent(night: Night, { run, night: before }: NonNullable<RunPlan['current']>): string[] {
  const { slot } = run.commit;
  const isSameSlot = slot === night.slot;
  const replaces = 'It is published already: only one in which more was read takes its place.';
  return [
    `What would change from the run of ${slot}:`,
    ...(isSameSlot ? [replaces] : []),
    ...formatBothFigures(before, night, ['current', 'dry run']),
    '',
    ...formatChanges(compareRuns(before, night).changes, mostNamed),
  ];
}

function formatMessages(messages: readonly PlannedMessage[]): string[] {
  return messages.length === 0
    ? ['No channel is set: no message would go.']
    : ['Messages that would go:', ...messages.map((message) => `  ${message.channel}: ${formatMessage(message)}`)];
}

function formatMessage({ due, events, title }: PlannedMessage): string {
  const count = `${formatCount(events)} ${pluralize(events, 'event')}`;
  return { nothing: 'none', later: `none now; ${count} would wait for its summary`, due: title ?? count }[due];
}
