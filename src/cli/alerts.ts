/** `muster alerts test`, `muster alerts preview [DATE]` and `muster alerts show`. */
import type { Channel } from '../alerts/channel.ts';
import { composeMessage, selectChannelEvents } from '../alerts/delivery/compose-message.ts';
import { decideDue } from '../alerts/delivery/decide-due.ts';
import { sendToChannel } from '../alerts/delivery/send.ts';
import { buildRunMessage } from '../alerts/message/digest.ts';
import { determineSeverity, selectEvents } from '../alerts/message/digest-event.ts';
import { buildTestMessage } from '../alerts/message/other-messages.ts';
import { renderPlainText } from '../alerts/message/plain-text.ts';
import { toSafeText } from '../alerts/message/safe-text.ts';
import { composeAlerts } from '../compose/channels.ts';
import { loadSettings } from '../compose/load-settings.ts';
import { openKeptStores } from '../compose/parts.ts';
import { createSecretReader } from '../compose/secrets.ts';
import type { AlertScope } from '../core/facts/alert-event.ts';
import { type AlertEvent, toDeviceAlertKey } from '../core/facts/alert-event.ts';
import { eventKinds } from '../core/facts/event-kinds.ts';
import type { Entry } from '../core/facts/ledger.ts';
import type { AlertState } from '../core/facts/remembered.ts';
import type { State } from '../core/facts/state.ts';
import { compareCodePoints } from '../core/text/order.ts';
import { pluralize } from '../core/text/pluralize.ts';
import { systemClock } from '../http/clock.ts';
import { requireKeptRun } from '../run/rebuild.ts';
import { formatZonedDate } from '../settings/schedule/zoned-time.ts';
import { readRunEvents } from '../storage/runs/events-record.ts';
import { readState, readStateHead } from '../storage/runs/run-state.ts';
import { type CommandOptions, type JsonOptions, printJson, printLines } from './console/session.ts';

/** Sends a test message through every channel: 0 when each accepted it, otherwise 3. */
export async function testAlerts(options: CommandOptions): Promise<number> {
  const { settings, folder } = await loadSettings(options.settings, process.env, 'others');
  const alerts = composeAlerts(settings, { secret: createSecretReader(process.env), folder, clock: systemClock });
  if (alerts.channels.length === 0) {
    return printLines(['No channel is set: nothing will be reported.'], 3);
  }
  const now = systemClock.now();
  const message = buildTestMessage(settings.agent.name, formatZonedDate(settings.schedule.timezone, now));
  const results = await Promise.all(
    alerts.channels.map(async (channel) => {
      const { name } = channel;
      for (const [index, payload] of channel.render(message).entries()) {
        const key = `muster/test/${now.toISOString()}/${name}-${index + 1}`;
        const failure = await sendToChannel(channel, payload, { ...alerts, key });
        if (failure !== undefined) {
          return { isAccepted: false, line: `${name}: not accepted. ${failure.error.message}` };
        }
      }
      return { isAccepted: true, line: `${name}: accepted${name.startsWith('teams') ? unconfirmedNote : ''}` };
    }),
  );
  return printLines(
    results.map(({ line }) => line),
    results.every(({ isAccepted }) => isAccepted) ? 0 : 3,
  );
}

const unconfirmedNote = ' (Microsoft accepts a message before it posts it: check that it is there)';

/** Prints the message of a run from its stored data, and then each channel's bytes. Writes and sends nothing. */
export async function previewAlerts(options: CommandOptions & { readonly slot?: string }): Promise<number> {
  const { store, alerts } = await openAlerts(options);
  const { run } = await requireKeptRun(store, options.slot);
  const events = await readRunEvents(store, run);
  const { openAlerts: open = [] } = await readStateHead(store, run);
  const { slot } = events;
  const range = { first: run.commit.number, runs: [{ run, events }], missed: 0, open };
  const { digest } = buildRunMessage({ ...events, commit: run.commit.number }, events.events, {
    link: alerts.link(slot),
  });
  const isDue = alerts.channels.map((channel) => {
    const own = { ...range, events: selectChannelEvents(channel, range), slot };
    return channel.audience === 'people' && decideDue(channel, own, alerts) === 'due';
  });
  const lines = alerts.channels.flatMap((channel) =>
    composeMessage(channel, range, alerts).flatMap((payload, index) => [
      '',
      `${channel.name}, part ${index + 1}:`,
      JSON.stringify(payload),
    ]),
  );
  const note = isDue.includes(true) ? [] : ['', describeSilence(alerts.channels)];
  return printLines([renderPlainText(digest).trimEnd(), ...note, ...lines]);
}

function describeSilence(channels: readonly Channel[]): string {
  return channels.some(({ audience }) => audience === 'people')
    ? 'People get no message of it by itself: nothing in it is urgent.'
    : 'Nobody gets this message: no channel for people is set.';
}

const longestLine = 300;

/** Prints the alerts that are open after the last run: since when, and which channels have them. */
export async function showAlerts(options: JsonOptions): Promise<number> {
  const { store, alerts } = await openAlerts(options);
  const { run } = await requireKeptRun(store);
  const state = await readState(store, run);
  const open = listSentAlerts(state).toSorted((left, right) => compareCodePoints(left.since, right.since));
  const machines = new Map(state.ledger.map(({ name, standing }) => [toDeviceAlertKey(name), standing]));
  const shown = open.map((alert) => {
    const { key, kind, since, sentAs = [] } = alert;
    const { name, serialNumber } = machines.get(key) ?? {};
    const scopes = sentAs.length === 0 ? [{ kind }] : sentAs;
    const receivers = alerts.channels.filter(({ only }) => selectEvents(toOpenEvents(alert, scopes), only).length > 0);
    const severity = determineSeverity(kind, 'first');
    return { key, kind, since, severity, name, serialNumber, channels: receivers.map((channel) => channel.name) };
  });
  const unnamed = state.ledger.filter(lacksAgentSinceFirstRun).length;
  if (options.json) {
    return printJson({ slot: state.slot, open: shown, unnamed });
  }
  const lines = shown.map(({ key, kind, since, severity, name, serialNumber, channels }) => {
    const called = [key, [name, serialNumber].filter(Boolean).join(' ')].filter(Boolean).join('  ');
    const names = channels.join(', ') || 'no channel';
    return `  ${since}  ${severity.padEnd(7)}  ${kind}  ${toSafeText(called, longestLine)}  (${names}): ${eventKinds[kind].meaning}`;
  });
  const { length } = open;
  const more = `${unnamed} more ${pluralize(unnamed, 'device is', 'devices are')} Not Installed since a source’s first run, which counts devices and opens no alert.`;
  return printLines([
    `After the run of ${state.slot}, ${length} ${pluralize(length, 'alert is', 'alerts are')} open.`,
    ...lines,
    ...(unnamed === 0 ? [] : [more]),
  ]);
}

/** Open alerts that were sent; those that a first run's notice counts never were. */
export function listSentAlerts({ openAlerts = [] }: Pick<State, 'openAlerts'>): readonly AlertState[] {
  return openAlerts.filter(({ isCounted }) => isCounted !== true);
}

function lacksAgentSinceFirstRun({ isGone, counted, opensNoAlert }: Entry): boolean {
  return !isGone && counted && opensNoAlert === true;
}

/** Ends of an alert in the scopes under which it was sent, of which it can have several. */
function toOpenEvents({ key, since, opened, last }: AlertState, scopes: readonly AlertScope[]): AlertEvent[] {
  return scopes.map((scope) => ({ kind: scope.kind, key, phase: 'over', slot: last, since, opened, sentAs: [scope] }));
}

async function openAlerts({ settings: settingsFile }: CommandOptions) {
  const { settings, folder, store } = await openKeptStores(settingsFile, process.env);
  return { store, alerts: composeAlerts(settings, { secret: createSecretReader({}), folder, clock: systemClock }) };
}
