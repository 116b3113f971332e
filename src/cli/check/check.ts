/** `muster check`: reads and judges everything as a run would, writes only the store's probe, and ends with a verdict. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { command } from '../../base/command.ts';
import { MusterError } from '../../base/errors.ts';
import type { Settings } from '../../compose/read-settings.ts';
import { readRunContext } from '../../compose/run-context.ts';
import type { CheckResult } from '../../core/facts/facts.ts';
import type { Night } from '../../core/facts/judged.ts';
import { pluralize } from '../../core/text/pluralize.ts';
import { type CheckContext, runCheck } from '../../deployment/checks/check.ts';
import { type FolderEntry, packageFolder } from '../../deployment/checks/package-folder.ts';
import { systemClock } from '../../http/clock.ts';
import { toPrintableText } from '../../reports/cell.ts';
import { buildSourceReport } from '../../reports/document/sources.ts';
import { toFigures } from '../../reports/document/trend.ts';
import { gather } from '../../run/gather.ts';
import { judgeRun } from '../../run/judge-run.ts';
import { peopleFileNames, readPeopleFile } from '../../settings/people/people-files.ts';
import { formatLineProblem } from '../../settings/people/read-table.ts';
import { describeSkippedStart } from '../../settings/schedule/skipped-starts.ts';
import { formatZonedDate } from '../../settings/schedule/zoned-time.ts';
import { createProgressView } from '../console/progress.ts';
import { inSession, type JsonOptions, printJson, printLines } from '../console/session.ts';
import { describeEmptyExemptions } from '../console/summary.ts';
import { checkChannels, listAlertHints } from './check-channels.ts';
import { checkLists } from './check-lists.ts';
import { checkNetwork } from './check-network.ts';
import { type CheckReport, formatCheckReport, joinReports } from './check-report.ts';
import { formatSources, listDoubledSources } from './check-sources.ts';
import { checkStore } from './check-store.ts';
import { formatFindings, isAboutDevices, isPassing } from './findings.ts';

export interface CheckOptions extends JsonOptions {
  /** The folder that will be packaged for Windows. */
  readonly package?: string;
}

const deploymentInterface =
  'The deployment interface is the document that says how the agent is deployed; docs/coverage.md of Muster lists it section by section. An agent with other places: deployment.macos.agentFile, deployment.windows.detection.';
/** Milliseconds of waiting for a failure: a person waits, and a longer one is worth a message. */
const longestWait = 30_000;

export async function checkSetup(options: CheckOptions): Promise<number> {
  const view =
    process.stdout.isTTY && !options.json ? createProgressView(process.stdout, systemClock.elapsed) : undefined;
  const waiting = { patience: longestWait, asksOnce: true, idle: longestWait, ...(view && { onProgress: view.watch }) };
  return inSession(options.settings, waiting, async (session) => {
    const { settings, folder, parts, file } = session;
    await refuseInvalidRows(settings, folder);
    const now = parts.clock.now();
    const runContext = await readRunContext(settings, folder, now);
    const slot = formatZonedDate(settings.schedule.timezone, now);
    const facts = await gather(parts, { ...runContext, slot, moment: now.toISOString() });
    view?.close();
    const night = judgeRun(facts, undefined, parts.rules);
    const checkContext = { settings: settings.deployment, slot, moment: now };
    const local = options.package === undefined ? [] : [await checkPackageFolder(options.package, checkContext)];
    const [store, channels, network] = await Promise.all([
      checkStore(session),
      checkChannels(session),
      checkNetwork(session),
    ]);
    const alerts = joinReports([channels, { facts: [], problems: listAlertHints(settings, night) }]);
    const listReports = checkLists(night);
    const blocking = listBlocking(night, joinReports([...listReports, store, channels]).problems, local);
    const notPassing = night.sources.flatMap(({ findings }) => findings).filter((finding) => !isPassing(finding));
    const aboutDevices = notPassing.filter(isAboutDevices).length;
    const failing = notPassing.length - aboutDevices;
    const exit = blocking.length === 0 && failing === 0 ? 0 : 3;
    const skippedStart = describeSkippedStart(settings.schedule, now);
    if (options.json) {
      const coverage = night.coverage.map(toFigures);
      const sources = night.sources.map((source) => buildSourceReport(source, night));
      const verdict = { ready: blocking.length === 0, blocking, failing };
      const parts = { lists: night.lists, store, alerts, network, local, skippedStart };
      return printJson({ ...verdict, coverage, sources, ...parts }, exit);
    }
    const sourceLines = await formatSources(night, settings);
    const namesDocument = sourceLines.some((line) => line.includes('of the deployment interface'));
    const lines = [
      `Settings: ${file} is sound.`,
      ...(skippedStart === undefined ? [] : [`Schedule: ${skippedStart}`]),
      ...describeEmptyExemptions(settings, night),
      ...sourceLines,
      ...(namesDocument ? ['', deploymentInterface] : []),
      ...listReports.flatMap((report) => formatCheckReport(report.title, report)),
      ...formatCheckReport(`store ${parts.store.name}`, store),
      ...formatUnlessEmpty('alerts', alerts),
      ...formatUnlessEmpty('network', network),
      ...(local.length === 0
        ? []
        : ['', `package folder ${options.package}`, ...formatFindings(local, [packageFolder])]),
      '',
      ...formatVerdict(blocking, failing, aboutDevices),
    ];
    return printLines(lines, exit);
  });
}

function formatUnlessEmpty(title: string, report: CheckReport): string[] {
  return report.facts.length + report.problems.length === 0 ? [] : formatCheckReport(title, report);
}

/** Reasons why a run would not be complete and sound, each once. */
function listBlocking(night: Night, problems: readonly string[], local: readonly CheckResult[]): string[] {
  return [
    ...night.sources.flatMap(({ name, soundness, problem }) =>
      soundness === 'complete'
        ? []
        : [`${name}: ${toPrintableText(problem?.message ?? `its data quality is ${soundness}`)}`],
    ),
    ...listDoubledSources(night),
    ...problems,
    ...local.filter((finding) => !isPassing(finding)).map(({ check, advice }) => `${check}: ${advice}`),
  ];
}

function formatVerdict(blocking: readonly string[], failing: number, aboutDevices: number): string[] {
  if (blocking.length > 0) {
    return ['Not ready. Mend this first:', ...blocking.map((line, index) => `  ${index + 1}. ${line}`)];
  }
  const remarks = [
    `${failing} ${pluralize(failing, 'check does', 'checks do')} not pass; the number does not depend on ${pluralize(failing, 'it', 'them')}`,
    `${aboutDevices} ${pluralize(aboutDevices, 'finding')} about devices`,
  ].filter((remark) => !remark.startsWith('0 '));
  return [`Ready: ${command} run${remarks.length === 0 ? '' : `   (${remarks.join('; ')}; see "to do" above)`}`];
}

/** Throws for invalid rows, which a run would ignore and report; it is better to correct them before the first run. */
async function refuseInvalidRows(settings: Settings, folder: string): Promise<void> {
  const problems = await Array.fromAsync(peopleFileNames, async (name) => {
    const rows = (await readPeopleFile(name, settings, folder)) ?? [];
    const lines = rows.filter(({ problem }) => problem !== undefined).map((row) => `  ${formatLineProblem(row)}.`);
    return lines.length === 0
      ? []
      : [`${settings[name]} (${name}) has invalid rows, which runs ignore. Correct them:`, ...lines];
  });
  if (problems.flat().length > 0) {
    throw new MusterError('settings-invalid', problems.flat().join('\n'));
  }
}

/** Lists the folder that will be packaged for Windows, for its check; opens no file in it. */
export async function checkPackageFolder(folder: string, context: CheckContext): Promise<CheckResult> {
  return runCheck(packageFolder, await readFolderEntries(folder).catch(() => undefined), context);
}

async function readFolderEntries(folder: string): Promise<FolderEntry[]> {
  const names = await readdir(folder);
  return Promise.all(
    names.map(async (name) => {
      const found = await stat(join(folder, name));
      return { name, isFile: found.isFile(), bytes: found.size };
    }),
  );
}
