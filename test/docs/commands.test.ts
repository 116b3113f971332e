/** docs/commands.md is made from the command line's own definitions and the list of errors; `npm run test:one test/docs/commands.test.ts -- -u` writes it anew. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Argument, Command } from 'commander';
import { expect, it } from 'vitest';
import { errorCodes } from '../../src/base/errors.ts';
import { listCommands } from '../../src/cli/help.ts';
import { exitCodes, program } from '../../src/cli.ts';

const file = join(import.meta.dirname, '../../docs/commands.md');

it('docs/commands.md has every command, exit code and error code as the program has them', async () => {
  const parts: Readonly<Record<string, string>> = {
    commands: listEvery(program).map(renderCommand).join('\n\n'),
    'exit codes': renderTable(
      'exit code | of a run',
      exitCodes.map(([code, meaning]) => [String(code), meaning]),
    ),
    codes: renderTable(
      'code | what to do',
      Object.entries(errorCodes).map(([code, advice]) => [`\`${code}\``, advice]),
    ).replaceAll(/\bdocs\/(\w+\.md)/g, '[$1]($1)'),
  };
  const made = readFileSync(file, 'utf8').replaceAll(
    /(<!-- (commands|exit codes|codes) -->\n)[\s\S]*?(<!-- \/\2 -->)/g,
    (_, before: string, part: string, after: string) => `${before}${parts[part]}\n${after}`,
  );
  await expect(made).toMatchFileSnapshot(file);
});

/** Those that do something; one that only holds others does nothing, nor does the help of one. */
function listEvery(command: Command): readonly Command[] {
  const below = listCommands(command).filter((one) => command.commands.includes(one));
  return below.length === 0 ? [command] : below.flatMap(listEvery);
}

function renderCommand(command: Command): string {
  const required = command.options.filter(({ mandatory }) => mandatory).map(({ flags }) => flags);
  const words = [listNames(command).join(' '), ...command.registeredArguments.map(renderArgument), ...required].join(
    ' ',
  );
  const rows = [
    ...command.registeredArguments.map(
      (argument) => [`\`${renderArgument(argument)}\``, argument.description] as const,
    ),
    ...command.options.map(
      ({ flags, description, defaultValue, defaultValueDescription = defaultValue }) =>
        [
          `\`${flags}\``,
          defaultValue === undefined ? description : `${description} (default: ${defaultValueDescription})`,
        ] as const,
    ),
  ];
  const description = command.description();
  const sentence = `${description.charAt(0).toUpperCase()}${description.slice(1)}.`;
  return [
    `### \`${words}\``,
    sentence,
    ...(rows.length === 0 ? [] : [renderTable('argument or option | meaning', rows)]),
  ].join('\n\n');
}

function listNames(command: Command): readonly string[] {
  return [...(command.parent === null ? [] : listNames(command.parent)), command.name()];
}

function renderArgument(argument: Argument): string {
  return argument.required ? `<${argument.name()}>` : `[${argument.name()}]`;
}

function renderTable(heading: string, rows: readonly (readonly [string, string])[]): string {
  return [`| ${heading} |`, '|---|---|', ...rows.map(([name, meaning]) => `| ${name} | ${meaning} |`)].join('\n');
}
