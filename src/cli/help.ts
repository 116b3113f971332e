/** The help of the program: the commands with which people begin, or all with `--all`. */
import { type Command, Help } from 'commander';

/** Commands in the order in which a newcomer needs them. */
const firstCommands: readonly string[] = ['demo', 'init', 'check', 'run', 'status', 'schedule', 'open', 'alerts'];

/** Shortens the help of the program itself; suggestions and shells still know every command. */
export function shortenHelp(program: Command): void {
  program.configureHelp({ ...program.configureHelp(), formatHelp: formatShortHelp });
}

function formatShortHelp(program: Command, help: Help): string {
  const all = listCommands(program);
  const visibleCommands = () => firstCommands.flatMap((name) => all.filter((one) => one.name() === name));
  return new Help().formatHelp(program, Object.assign(help, { visibleCommands }));
}

/** All commands except the hidden one that a shell runs at each Tab. */
export function listCommands(command: Command): Command[] {
  return new Help().visibleCommands(command);
}

export function addHelpCommand(program: Command): void {
  program
    .helpCommand(false)
    .command('help')
    .description('show the commands to begin with, or what one command does')
    .argument('[command]', 'the command to explain')
    .option('--all', 'show every command')
    .action((name: string | undefined, { all }: { readonly all?: boolean }) => {
      const named = name === undefined ? program : listCommands(program).find((one) => one.name() === name);
      if (named === undefined) {
        program.error(`unknown command '${name}'`, { code: 'commander.unknownCommand' });
      }
      printHelp(named, all === true);
    });
}

function printHelp(command: Command, all: boolean): void {
  const settings = command.configureHelp();
  if (all) {
    const { formatHelp: _, ...others } = settings;
    command.configureHelp(others);
  }
  command.outputHelp();
  command.configureHelp(settings);
}
