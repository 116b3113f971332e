/** `muster alerts test` and `muster alerts preview [SLOT]`. */
import { sendToChannel } from '../alerts/delivery/deliver.ts';
import { buildNightMessage } from '../alerts/message/digest.ts';
import { renderPlainText } from '../alerts/message/plain-text.ts';
import { buildTestMessage } from '../alerts/message/test-message.ts';
import { composeAlerts } from '../compose/channels.ts';
import { loadSettings } from '../compose/load-settings.ts';
import { openStore } from '../compose/parts.ts';
import { createSecretReader } from '../compose/secrets.ts';
import { sourceRules } from '../compose/source-kinds.ts';
import { judge } from '../core/judge.ts';
import { MusterError } from '../errors.ts';
import { systemClock } from '../http/clock.ts';
import { formatZonedDate } from '../settings/schedule.ts';
import { findRun, readCurrentRun, readFacts, readPreviousState } from '../storage/runs/published-runs.ts';

interface AlertsOptions {
  readonly settings?: string;
}

/** A message that says that it is a test, through every channel: 0 when each took it, otherwise 3. */
export async function testAlerts(options: AlertsOptions): Promise<number> {
  const { settings, folder } = await loadSettings(options.settings, process.env, true);
  const alerts = composeAlerts(settings, { secret: createSecretReader(process.env), folder, clock: systemClock });
  if (alerts.channels.length === 0) {
    return printResult(['No channel is set: nobody will be told.'], 3);
  }
  const now = systemClock.now();
  const news = buildTestMessage(settings.agent.name, formatZonedDate(settings.schedule.timezone, now));
  const results = await Promise.all(
    alerts.channels.map(async (channel) => {
      for (const [index, payload] of channel.render(news).entries()) {
        const key = `muster/test/${now.toISOString()}/${channel.name}-${index + 1}`;
        const failure = await sendToChannel(channel, { payload, key }, alerts);
        if (failure !== undefined) {
          return { taken: false, line: `${channel.name}: not taken. ${failure.message}` };
        }
      }
      return {
        taken: true,
        line: `${channel.name}: taken${channel.name.startsWith('teams') ? ` ${unconfirmedNote}` : ''}`,
      };
    }),
  );
  return printResult(
    results.map(({ line }) => line),
    results.every(({ taken }) => taken) ? 0 : 3,
  );
}

const unconfirmedNote = '(Microsoft says so before it posts: look whether it is there)';

/** What the night would send, from its stored facts. Writes and sends nothing. */
export async function previewAlerts(options: AlertsOptions & { readonly slot?: string }): Promise<number> {
  const { settings, folder } = await loadSettings(options.settings, process.env, false);
  const store = await openStore(settings, folder);
  const standing = await readCurrentRun(store);
  const run = options.slot === undefined ? standing : await findRun(store, standing, options.slot);
  if (run === undefined) {
    throw new MusterError(
      'night-unknown',
      `No night is published${options.slot ? ` for ${options.slot}` : ''} in ${store.name}.`,
    );
  }
  const night = judge(await readFacts(store, run), await readPreviousState(store, run), sourceRules);
  const secret = createSecretReader({});
  const news = buildNightMessage(
    night,
    night.events,
    composeAlerts(settings, { secret, folder, clock: systemClock }).link(night.slot),
  );
  return printResult(
    [news === undefined ? `The night of ${night.slot} has nothing to tell: no message.` : renderPlainText(news.digest)],
    0,
  );
}

function printResult(lines: readonly string[], exit: number): number {
  process.stdout.write(`${lines.join('\n').trimEnd()}\n`);
  return exit;
}
