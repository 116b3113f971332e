/** `muster init`: asks, signs in, offers what it finds, and writes settings that `muster check` accepts. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { command } from '../../base/command.ts';
import { MusterError } from '../../base/errors.ts';
import { platformTimeLimit } from '../../base/time-limit.ts';
import { readSettings } from '../../compose/read-settings.ts';
import { renderSettings } from '../../compose/render-settings.ts';
import { createSecretReader } from '../../compose/secrets.ts';
import { cronSchema, defaultSchedule, storeSchema, timezoneSchema } from '../../compose/settings-schema.ts';
import { sourceKinds } from '../../compose/source-kinds.ts';
import { systemClock } from '../../http/clock.ts';
import { briefPatience } from '../../http/retry.ts';
import { WaitBudget } from '../../http/wait-budget.ts';
import { formatWaiting } from '../../run/reporting/log-progress.ts';
import type { Schedule } from '../../settings/schedule/schedule.ts';
import { describeSkippedStart } from '../../settings/schedule/skipped-starts.ts';
import type { Interviewer } from '../../sources/interview.ts';
import { printLines } from '../console/session.ts';
import { TerminalInterviewer } from './interviewer.ts';

export interface InitOptions {
  readonly to: string;
  readonly yes?: boolean;
  /** Answers, keyed by option names in commander's form. */
  readonly [option: string]: string | boolean | undefined;
}

export async function initSettings(options: InitOptions): Promise<number> {
  const { to: file, yes } = options;
  if (existsSync(file)) {
    throw refuse(`There is a file ${file} already, which stays as it is. Name another with --to.`);
  }
  const asks = yes !== true && process.stdin.isTTY === true && process.stdout.isTTY === true;
  if (!asks && yes !== true) {
    throw refuse('There is no terminal to ask on. Give the answers as options, and --yes.');
  }
  const moment = systemClock.now();
  const today = moment.toISOString().slice(0, 10);
  using interviewer = new TerminalInterviewer({ given: listGivenAnswers(options), asks, today });
  const context = {
    secret: createSecretReader(process.env),
    clock: systemClock,
    signal: AbortSignal.timeout(platformTimeLimit),
    slot: today,
    moment,
  };
  const answers = await Array.fromAsync(sourceKinds, async (kind) => {
    const interview = await kind.loadInterview();
    return interview(interviewer, { ...context, patience: createPatience(interviewer) });
  });
  const drafts = answers.filter((draft) => draft !== undefined);
  if (drafts.length === 0) {
    throw refuse('init wrote no settings: it needs at least one platform. Answer --jamf-url, --intune-tenant or both.');
  }
  const text = 'Where reports are kept: a folder, or s3://bucket/prefix';
  const store = await interviewer.askText({ option: 'store', text, schema: storeSchema, standard: './muster-data' });
  const schedule = await askSchedule(interviewer);
  await writeSettings(file, renderSettings(drafts, { store, schedule }, dirname(resolve(file))));
  const skippedStart = describeSkippedStart(schedule, moment);
  const named = file === 'muster.yaml' ? '' : ` --settings ${file}`;
  return printLines([
    ...(skippedStart === undefined ? [] : ['', skippedStart]),
    '',
    `Wrote ${file}, without a secret. Next: ${command} check${named}`,
  ]);
}

async function askSchedule(interviewer: Interviewer): Promise<Schedule> {
  const { cron, timezone } = defaultSchedule;
  const when = 'When runs start, in cron syntax: minute, hour, and days';
  return {
    cron: await interviewer.askText({ option: 'cron', text: when, schema: cronSchema, standard: cron }),
    timezone: await interviewer.askText({
      option: 'timezone',
      text: 'Its time zone, such as Europe/London',
      schema: timezoneSchema,
      standard: timezone,
    }),
  };
}

/** Makes a budget that tells the person about each wait. */
function createPatience(interviewer: Pick<Interviewer, 'tell'>): WaitBudget {
  return new WaitBudget({
    clock: systemClock,
    limit: briefPatience,
    onWait: (waiting) => interviewer.tell(`Waiting: ${formatWaiting(waiting)}.`),
  });
}

/** Answers by option name: the key jamfUrl is the option --jamf-url. */
function listGivenAnswers(options: InitOptions): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(options).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`), value]] : [],
    ),
  );
}

/** Writes the settings without replacing a file, even one that appeared in the meantime. */
async function writeSettings(file: string, yaml: string): Promise<void> {
  const { problems } = readSettings(yaml, process.env);
  if (problems.length > 0) {
    throw refuse(`These answers make no settings; nothing was written.\n  ${problems.join('\n  ')}`);
  }
  await writeFile(file, yaml, { flag: 'wx' }).catch((cause: NodeJS.ErrnoException) => {
    const { code = 'no reason given' } = cause;
    throw refuse(`The settings could not be written to ${file} (${code}). Name another file with --to.`, cause);
  });
}

function refuse(sentence: string, cause?: unknown): MusterError {
  return new MusterError('command-line', sentence, { cause });
}
