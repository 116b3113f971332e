/** The command line: words in, an exit code out. Each command lives in its own file and is loaded when it is used. */
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { commandLineError, printFailure } from './cli/failure.ts';
import { version } from './version.ts';

const program = new Command('muster')
  .description(
    'Calls the roll of your devices: which ones lack the endpoint agent, and whether that number can be trusted.',
  )
  .version(version)
  .addOption(new Option('--settings <file>', 'settings file (default: muster.yaml, or what MUSTER_SETTINGS names)'))
  .showSuggestionAfterError(true)
  .configureHelp({ sortSubcommands: false, showGlobalOptions: true })
  .exitOverride()
  // Commander's own sentence is thrown too, and is written with our code below.
  .configureOutput({ outputError: () => undefined })
  .addHelpText(
    'after',
    `
New here?   muster demo      two weeks against simulated platforms, nothing to set up
            muster check     tries your settings, sign-in and permissions; writes nothing
            muster run       one night

Exit codes  0 published, complete, delivered · 3 published, but a source was not complete or a message not delivered
            4 another run published this slot
            1 failed, nothing published · 2 settings or command line wrong`,
  );

program
  .command('run')
  .description('run one night: ask every platform, judge, publish')
  .option('--slot <date>', 'the night to run (default: the last scheduled one)', parseDate)
  .option('--dry-run', 'ask and judge, but write nothing')
  .action(async (options) =>
    setExitCode((await import('./cli/run.ts')).runSlot({ ...readGlobalOptions(), ...options })),
  );

program
  .command('schedule')
  .description('stay up and run every night, as `schedule` in the settings says')
  .action(async () => setExitCode((await import('./cli/schedule.ts')).runOnSchedule(readGlobalOptions())));

program
  .command('check')
  .description('try settings, sign-in and permissions; say how old and complete the answers are; write nothing')
  .option('--package <folder>', 'also look at the folder that is to be packaged for Windows')
  .action(async (options) =>
    setExitCode((await import('./cli/check.ts')).checkSetup({ ...readGlobalOptions(), ...options })),
  );

program
  .command('artifacts')
  .description('render what the deployment interface asks an administrator to create; without a name, list them')
  .argument('[name]', 'only this one')
  .option('--to <folder>', 'write files there instead of printing')
  .action(async (name, options) =>
    setExitCode((await import('./cli/artifacts.ts')).renderArtifacts({ ...readGlobalOptions(), name, ...options })),
  );

program
  .command('demo')
  .description('run some nights against simulated platforms into ./muster-demo, and say where to look')
  .option('--nights <count>', 'nights to run', createCountParser(1, 400), 14)
  .option('--devices <count>', 'devices to simulate', createCountParser(1, 100_000), 1000)
  .action(async (options) => setExitCode((await import('./cli/demo.ts')).runDemo(options)));

program
  .command('sandbox')
  .description('start the simulated platforms alone, and print a settings file for them')
  .option('--devices <count>', 'devices to simulate', createCountParser(1, 1_000_000), 200)
  .option('--port <port>', 'first port to listen on (default: any free one)', createCountParser(0, 65_000), 0)
  .option('--fault <name...>', 'what goes wrong; name "list" to see them all')
  .action(async (options) => setExitCode((await import('./cli/sandbox.ts')).serveSandbox(options)));

program
  .command('accept')
  .description("publish a suspect night's facts as judged without the breaker")
  .argument('<slot>', 'the suspect night', parseDate)
  .action(async (slot) => setExitCode((await import('./cli/accept.ts')).acceptSlot({ ...readGlobalOptions(), slot })));

const alertsCommand = program
  .command('alerts')
  .description('try the channels that tell people, or see what they would be told');
alertsCommand
  .command('test')
  .description('send a marked test through every channel: exit 0 each took it, 3 one did not')
  .action(async () => setExitCode((await import('./cli/alerts.ts')).testAlerts(readGlobalOptions())));
alertsCommand
  .command('preview')
  .description('print what a night would send; writes and sends nothing')
  .argument('[slot]', 'the night (default: the last published one)', parseDate)
  .action(async (slot) =>
    setExitCode((await import('./cli/alerts.ts')).previewAlerts({ ...readGlobalOptions(), slot })),
  );

program
  .command('verify')
  .description('read every published byte again: exit 0 sound, 3 damaged or missing')
  .argument('[slot]', 'only this night (default: all kept nights)', parseDate)
  .action(async (slot) => setExitCode((await import('./cli/verify.ts')).verifyStore({ ...readGlobalOptions(), slot })));

program
  .command('rebuild')
  .description('make the reports of a kept night again from its facts')
  .argument('<slot>', 'the night', parseDate)
  .requiredOption('--to <folder>', 'where to write them')
  .action(async (slot, options) =>
    setExitCode((await import('./cli/rebuild.ts')).rebuildReports({ ...readGlobalOptions(), slot, ...options })),
  );

program
  .command('open')
  .description('open the page of a night in a browser')
  .argument('[slot]', 'the night (default: the last published one)', parseDate)
  .action(async (slot) => setExitCode((await import('./cli/open.ts')).openPage({ ...readGlobalOptions(), slot })));

function readGlobalOptions(): { settings?: string } {
  return program.opts<{ settings?: string }>();
}

async function setExitCode(code: Promise<number>): Promise<void> {
  process.exitCode = await code;
}

function parseDate(text: string): string {
  const time = Date.parse(`${text}T00:00:00Z`);
  if (/^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(time).toJSON()?.startsWith(text)) {
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

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) {
    process.exitCode = printFailure(error, process.stderr);
  } else if (error.exitCode !== 0) {
    process.exitCode = printFailure(commandLineError(error), process.stderr);
  }
}
