/** `muster alerts test` and `muster alerts preview [SLOT]`. */
import { send } from '../alerts/delivery/deliver.ts';
import { newsOf } from '../alerts/message/digest.ts';
import { textOf } from '../alerts/message/plain-text.ts';
import { testNews } from '../alerts/message/test-message.ts';
import { alertsOf } from '../compose/channels.ts';
import { loadSettings } from '../compose/load-settings.ts';
import { storeOf } from '../compose/parts.ts';
import { secretReader } from '../compose/secrets.ts';
import { sourceRules } from '../compose/source-kinds.ts';
import { judge } from '../core/judge.ts';
import { MusterError } from '../errors.ts';
import { systemClock } from '../http/clock.ts';
import { dateIn } from '../settings/schedule.ts';
import { readBefore, readFacts, readStanding, runOf } from '../storage/runs/published-runs.ts';

interface Options {
  readonly settings?: string;
}

/** A message that says that it is a test, through every channel: 0 when each took it, otherwise 3. */
export async function testAlerts(options: Options): Promise<number> {
  const { settings, folder } = await loadSettings(options.settings, process.env, true);
  const alerts = alertsOf(settings, { secret: secretReader(process.env), folder, clock: systemClock });
  if (alerts.channels.length === 0) return say(['No channel is set: nobody will be told.'], 3);
  const now = systemClock.now();
  const news = testNews(settings.agent.name, dateIn(settings.schedule.timezone, now));
  const results = await Promise.all(
    alerts.channels.map(async (channel) => {
      for (const [index, payload] of channel.render(news).entries()) {
        const key = `muster/test/${now.toISOString()}/${channel.name}-${index + 1}`;
        const failure = await send(channel, { payload, key }, alerts);
        if (failure !== undefined) return { taken: false, line: `${channel.name}: not taken. ${failure.message}` };
      }
      return {
        taken: true,
        line: `${channel.name}: taken${channel.name.startsWith('teams') ? ` ${unconfirmed}` : ''}`,
      };
    }),
  );
  return say(
    results.map(({ line }) => line),
    results.every(({ taken }) => taken) ? 0 : 3,
  );
}

const unconfirmed = '(Microsoft says so before it posts: look whether it is there)';

/** What the night would send, from its stored facts. Writes and sends nothing. */
export async function previewAlerts(options: Options & { readonly slot?: string }): Promise<number> {
  const { settings, folder } = await loadSettings(options.settings, process.env, false);
  const store = await storeOf(settings, folder);
  const standing = await readStanding(store);
  const run = options.slot === undefined ? standing : await runOf(store, standing, options.slot);
  if (run === undefined) {
    throw new MusterError(
      'night-unknown',
      `No night is published${options.slot ? ` for ${options.slot}` : ''} in ${store.name}.`,
    );
  }
  const night = judge(await readFacts(store, run), await readBefore(store, run), sourceRules);
  const secret = secretReader({});
  const news = newsOf(night, night.events, alertsOf(settings, { secret, folder, clock: systemClock }).link(night.slot));
  return say(
    [news === undefined ? `The night of ${night.slot} has nothing to tell: no message.` : textOf(news.digest)],
    0,
  );
}

function say(lines: readonly string[], exit: number): number {
  process.stdout.write(`${lines.join('\n').trimEnd()}\n`);
  return exit;
}
