/** The help of the program: the commands that people begin with, and with `--all` every one. */
import { type Command, Help } from 'commander';

/** In the order in which a newcomer needs them. */
export const firstCommands: readonly string[] = [
  'demo',
  'init',
  'check',
  'run',
  'status',
  'schedule',
  'open',
  'alerts',
];

/** Of the program the first ones; of a command with others below it, all of those. */
export function listFirstCommands(command: Command): Command[] {
  const all = listCommands(command);
  return command.parent === null ? firstCommands.flatMap((name) => all.filter((one) => one.name() === name)) : all;
}

/** Without the one that a shell runs at each Tab, which the help hides. */
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
  command.configureHelp(all ? { ...settings, visibleCommands: listCommands } : settings);
  command.outputHelp();
  command.configureHelp(settings);
}
