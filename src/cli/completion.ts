/** `muster completion`: answers a shell when a person presses Tab, from Commander's own tree of commands. */
import addCommands from '@bomb.sh/tab/commander';
import type { Command } from 'commander';

const meaning = 'print the script with which a shell completes commands and options';

/** Adds the command that prints the script, and the hidden `complete` that the script runs at each Tab. */
export function addCompletion(program: Command): void {
  const completion = addCommands(program, { completionCommandName: 'completion' });
  // Commander accepts the program's own options after a command too; the package offers them only before it.
  for (const command of completion.commands.values()) {
    for (const [name, option] of completion.options) {
      command.options.set(name, option);
    }
    command.description = command.value === 'completion' ? meaning : command.description;
  }
  program.commands
    .find((command) => command.name() === 'completion')
    ?.description(meaning)
    .addHelpText(
      'after',
      `
bash   eval "$(muster completion bash)"       in ~/.bashrc, after bash-completion, a package of its own
zsh    eval "$(muster completion zsh)"        in ~/.zshrc, after compinit
fish   muster completion fish | source        in ~/.config/fish/config.fish`,
    );
}
