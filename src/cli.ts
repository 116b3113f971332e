/** The command line: arguments → an exit code. Each command is in a file of its own, which is loaded on use. */
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { version } from './base/version.ts';
import { addCompletion } from './cli/completion.ts';
import { commandLineError, endAfterDeadline, printFailure } from './cli/console/failure.ts';
import { addHelpCommand, shortenHelp } from './cli/help.ts';
import { isCalendarDate } from './core/time/calendar.ts';
import { prepareNetwork } from './http/prepare-network.ts';

/** Exit codes of a run; other commands document theirs in their help. */
export const exitCodes: readonly (readonly [code: number, meaning: string])[] = [
  [0, 'published, every source complete, every message delivered'],
  [3, 'published, but a source was not complete or a message not delivered'],
  [4, 'another run of this date was published meanwhile'],
  [1, 'failed, nothing published'],
  [2, 'settings or command line wrong'],
];

export const program = new Command('muster')
  .description(
    'Calls the roll of your devices: which ones lack the endpoint agent, and whether that number can be trusted.',
  )
  .version(version)
  .addOption(new Option('--settings <file>', 'settings file (default: muster.yaml, or what MUSTER_SETTINGS names)'))
  .showSuggestionAfterError(true)
  .configureHelp({ showGlobalOptions: true })
  .hook('preAction', (_, command) => {
    prepareNetwork(process.env);
    // Each command receives the program's own options with its own.
    command.setOptionValue('settings', program.opts().settings);
  })
  .exitOverride()
  // Commander also throws its message, which is printed below with Muster's error code.
  .configureOutput({ outputError: () => undefined })
  .addHelpText(
    'after',
    `
Every command: muster help --all. What one does: muster help COMMAND.

Exit codes  ${exitCodes.map(([code, meaning]) => `${code} ${meaning}`).join('\n            ')}`,
  );

program
  .command('run')
  .description('run once: read every platform, judge, publish; shows progress on a terminal, else JSON log lines')
  .option('--slot <date>', 'the date of the run (default: the last scheduled one)', parseDateOption)
  .option('--dry-run', 'read and judge, but write nothing')
  .option('--json', 'print one JSON document; log lines go to standard error')
  .action(async (options) => endWith((await import('./cli/run.ts')).runSlot(options)));

program
  .command('schedule')
  .description('keep running, and run at every time of `schedule` in the settings; verify the store every Sunday')
  .action(async (options) => endWith((await import('./cli/schedule.ts')).runOnSchedule(options)));

program
  .command('status')
  .description(
    'show the last run and its number, what is not sound, the next run, open alerts and undelivered messages: exit 0 the last scheduled run is published, complete and delivered, 3 otherwise',
  )
  .option('--json', 'print one JSON document instead')
  .action(async (options) => endWith((await import('./cli/status/status.ts')).showStatus(options)));

program
  .command('check')
  .description(
    'test settings, sign-in and permissions; report how old and complete the answers are; write nothing: exit 0 every check passes, 3 otherwise; findings about devices fail no check',
  )
  .option('--package <folder>', 'also check the folder that will be packaged for Windows')
  .option('--json', 'print one JSON document instead')
  .addHelpText(
    'after',
    `
Canaries are machines that you keep on purpose with and without the agent (deployment.canaries in the settings).
Keep two for each source: their answers show that script, inventory, platform and Muster's reading work together.`,
  )
  .action(async (options) => endWith((await import('./cli/check/check.ts')).checkSetup(options)));

program
  .command('init')
  .description('ask for your platforms, offer what is found there, and write the settings; never a secret')
  .option('--to <file>', 'the settings file to write; one that is there stays', 'muster.yaml')
  .option('--yes', 'ask nothing: take the options, and what is recommended for the rest')
  .option('--jamf-url <url>', 'address of Jamf Pro')
  .option('--jamf-client-id <id>', 'its API client: the id, or where it is (default: env:JAMF_CLIENT_ID)')
  .option('--jamf-client-secret <reference>', 'where its secret is (default: env:JAMF_CLIENT_SECRET)')
  .option('--jamf-username <name>', 'an account of Jamf Pro instead: its name, or where it is')
  .option('--jamf-password <reference>', 'where its password is (default: env:JAMF_PASSWORD)')
  .option('--jamf-site <name>', 'the one site that the account sees, where its Macs alone are meant')
  .option('--attribute <name>', 'the extension attribute that says whether the agent is there')
  .option('--installed-group <name>', 'the smart group of the Macs with the agent')
  .option('--not-installed-group <name>', 'the smart group of the Macs without it')
  .option('--policy <name>', 'the policy that installs the agent')
  .option('--extension-profile <name>', 'the profile that trusts its extensions')
  .option('--file-access-profile <name>', 'the profile that gives it access to all files')
  .option('--intune-tenant <id>', 'tenant of Microsoft Intune, its id or domain')
  .option('--intune-client-id <id>', 'its app registration: the id, or where it is (default: env:GRAPH_CLIENT_ID)')
  .option('--intune-client-secret <reference>', 'where its secret is (default: env:GRAPH_CLIENT_SECRET)')
  .option('--intune-login <url>', 'where to sign in, for a proxy or the simulator')
  .option('--intune-graph <url>', 'Microsoft Graph, for a proxy or the simulator')
  .option('--intune-downloads <url>', 'where exported reports are, for a proxy or the simulator')
  .option('--app <name>', 'the Win32 app of the agent, by its name or id')
  .option('--accept <sha256>', 'a script or a rule that a person has read; both, separated by a comma')
  .option('--accepted-by <name>', 'who has read it')
  .option('--store <place>', 'where reports are kept: a folder, or s3://bucket/prefix (default: ./muster-data)')
  .option('--cron <cron>', 'when runs start, in cron syntax (default: 15 5 * * *)')
  .option('--timezone <zone>', 'its time zone (default: UTC)')
  .action(async (options) => endWith((await import('./cli/init/init.ts')).initSettings(options)));

program
  .command('artifacts')
  .description('print what the deployment interface requires an administrator to create; without a name, list them')
  .argument('[name]', 'only this one')
  .option('--to <folder>', 'write files there instead of printing')
  .action(async (name, options) => endWith((await import('./cli/artifacts.ts')).renderArtifacts({ name, ...options })));

program
  .command('demo')
  .description('run some nights against simulated platforms into ./muster-demo, and list the files to open')
  .option('--nights <count>', 'nights to run', createCountParser(1, 400), 14)
  .option('--devices <count>', 'devices to simulate', createCountParser(1, 100_000), 1000)
  .action(async (options) => endWith((await import('./cli/demo/demo.ts')).runDemo(options)));

program
  .command('sandbox')
  .description('start the simulated platforms alone, and print a settings file for them')
  .option('--devices <count>', 'devices to simulate', createCountParser(1, 1_000_000), 200)
  .addOption(
    new Option('--port <port>', 'first port to listen on')
      .default(0, 'any free one')
      .argParser(createCountParser(0, 65_000)),
  )
  .option('--fault <name...>', 'a fault to simulate; "list" prints all names')
  .action(async (options) => endWith((await import('./cli/sandbox.ts')).serveSandbox(options)));

program
  .command('accept')
  .description("publish a suspect run's facts, or those with a shrunk list, overriding the anomaly check")
  .argument('<date>', 'the date of the suspect run', parseDateOption)
  .action(async (slot, options) => endWith((await import('./cli/corrections.ts')).acceptSlot({ slot, ...options })));

program
  .command('retract')
  .description(
    'take the last published run back: the run before it is published once more, and its date may be run again',
  )
  .argument('<date>', 'the date of the last published run', parseDateOption)
  .option('--why <text>', 'why; kept with the runs')
  .action(async (slot, options) => endWith((await import('./cli/corrections.ts')).retractSlot({ slot, ...options })));

program
  .command('prune')
  .description('show the runs that are past their retention and held back, or let them go')
  .option('--confirm', 'remove them, with their reports and copies')
  .action(async (options) => endWith((await import('./cli/corrections.ts')).pruneStore(options)));

const alertsCommand = program
  .command('alerts')
  .description('test the alert channels, preview their messages, or show what is open');
alertsCommand
  .command('test')
  .description('send a test message through every channel: exit 0 each accepted it, 3 one did not')
  .action(async (options) => endWith((await import('./cli/alerts.ts')).testAlerts(options)));
alertsCommand
  .command('preview')
  .description('print the message of a run; writes and sends nothing')
  .argument('[date]', 'the date of the run (default: the last published one)', parseDateOption)
  .action(async (slot, options) => endWith((await import('./cli/alerts.ts')).previewAlerts({ slot, ...options })));

alertsCommand
  .command('show')
  .description('print which alerts are open, since when, and which channels have them')
  .option('--json', 'print one JSON document instead')
  .action(async (options) => endWith((await import('./cli/alerts.ts')).showAlerts(options)));

program
  .command('verify')
  .description('verify every published file: exit 0 sound, 3 damaged or missing')
  .argument('[date]', 'only the run of this date (default: all kept runs)', parseDateOption)
  .option('--public-key <file>', 'also check that every commit is signed by a key in this file (PEM)')
  .option('--store <place>', 'verify this store, or a copy of it, and read no settings')
  .option('--json', 'print one JSON document instead')
  .action(async (slot, options) => endWith((await import('./cli/verify.ts')).verifyStore({ slot, ...options })));

program
  .command('diff')
  .description('show what changed between two kept runs: the figures, and each device that differs')
  .argument('<date>', 'the date of a run', parseDateOption)
  .argument('<date>', 'the date of the other run', parseDateOption)
  .option('--json', 'print one JSON document instead')
  .action(async (one, other, options) =>
    endWith((await import('./cli/diff.ts')).printDifference({ slots: [one, other], ...options })),
  );

program
  .command('rebuild')
  .description('make the reports of a kept run again from its facts')
  .argument('<date>', 'the date of the run', parseDateOption)
  .usage('<date> --to <folder>')
  .requiredOption('--to <folder>', 'where to write them (required)')
  .action(async (slot, options) => endWith((await import('./cli/rebuild.ts')).rebuildReports({ slot, ...options })));

program
  .command('open')
  .description('open the page of a run in a browser')
  .argument('[date]', 'the date of the run (default: the last published one)', parseDateOption)
  .action(async (slot, options) => endWith((await import('./cli/open.ts')).openPage({ slot, ...options })));

addHelpCommand(program);
addCompletion(program);
shortenHelp(program);

async function endWith(code: Promise<number>): Promise<void> {
  process.exitCode = await code;
}

function parseDateOption(text: string): string {
  if (isCalendarDate(text)) {
    return text;
  }
  throw new InvalidArgumentError('It must be a date such as 2026-11-20.');
}

function createCountParser(minimum: number, maximum: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= minimum && number <= maximum) {
      return number;
    }
    throw new InvalidArgumentError(`It must be a whole number from ${minimum} to ${maximum}.`);
  };
}

/** Ignores that a reader such as `head` has closed the pipe. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') {
    throw error;
  }
}

/** Reads the process's own arguments. */
export async function runProgram(): Promise<void> {
  process.stdout.off('error', ignoreClosedPipe).on('error', ignoreClosedPipe);
  try {
    await program.parseAsync();
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      process.exitCode = printFailure(error, process.stderr);
      endAfterDeadline(error);
    } else if (error.exitCode !== 0) {
      process.exitCode = printFailure(commandLineError(error), process.stderr);
    }
  }
}
