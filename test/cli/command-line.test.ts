/** The command line: what it refuses, and with which code, words and exit code. */
import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { version } from '../../src/base/version.ts';
import { least } from '../settings/least.ts';
import { finished, inFolder, muster, musterHere, program, programEnvironment, startMuster } from './muster.ts';

const run = (words: readonly string[]) => inFolder((folder) => musterHere(words, { folder }));

test.each<[string, readonly string[], string]>([
  ['a command', ['artifcats'], "Unknown command 'artifcats'. Did you mean artifacts?"],
  ['a command below another', ['alerts', 'tset'], "Unknown command 'tset'. Did you mean test?"],
  ['an option', ['run', '--slto', '2026-11-20'], "Unknown option '--slto'. Did you mean --slot?"],
  [
    'a date',
    ['run', '--slot', '2026-02-30'],
    "Option '--slot <date>' argument '2026-02-30' is invalid. It must be a date such as 2026-11-20.",
  ],
  [
    'a count',
    ['demo', '--nights', '0'],
    "Option '--nights <count>' argument '0' is invalid. It must be a whole number from 1 to 400.",
  ],
  ['an argument left out', ['accept'], "Missing required argument 'date'."],
  ['an option left out', ['rebuild', '2026-11-20'], "Required option '--to <folder>' not specified."],
  ['a word too many', ['run', 'now'], "Too many arguments for 'run'. Expected 0 arguments but got 1."],
])('%s is refused with a sentence and exit 2', async (_what, words, sentence) => {
  expect(await run(words)).toEqual({
    code: 2,
    output: '',
    errors: `muster [command-line]: ${sentence} See muster --help.\n`,
  });
});

test.each([['--help'], ['sandbox', '--fault', 'list']])(
  '%s %s %s ends as it would where nobody reads on',
  async (...words) => {
    await inFolder(async (folder) => {
      const child = startMuster(words, { folder });
      child.stdout?.destroy();
      expect(await finished(child)).toMatchObject({ code: 0, errors: '' });
    });
  },
);

test('a Node.js that is too old is named before anything else is loaded: 2 [W4]', async () => {
  const older = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.11.0' } })";
  const words = ['--import', `data:text/javascript,${encodeURIComponent(older)}`, program, 'demo'];
  const { code, output, errors } = await finished(spawn(process.execPath, words, { env: programEnvironment }));
  expect([code, output]).toEqual([2, '']);
  expect(errors).toMatch(
    /^muster \[command-line\]: Muster needs Node\.js 24\.14 or newer; this is 20\.11\.0\. [^\n]+\n$/,
  );
});

test.each([
  ['prune', 0, /^Nothing to remove/],
  ['alerts test', 3, /^No channel is set/],
])('%s asks for no secret of a platform', async (words, code, output) => {
  const ended = await inFolder(async (folder) => {
    await writeFile(join(folder, 'muster.yaml'), least);
    return musterHere(words.split(' '), { folder });
  });
  expect(ended).toMatchObject({ code, output: expect.stringMatching(output), errors: '' });
});

test.each([[[]], [['alerts']]])('without a command (%j) the help says which there are', async (words) => {
  const { code, output, errors } = await run(words);
  expect([code, output]).toEqual([2, '']);
  expect(errors).toMatch(
    /^Usage: muster [\s\S]*\nmuster \[command-line\]: No command is given\. See muster --help\.\n$/,
  );
});

const listHelped = (output: string) => {
  const [, list = ''] = /\nCommands:\n([\s\S]*?)\n\n/.exec(output) ?? [];
  return [...list.matchAll(/^ {2}([a-z]+)/gm)].map(([, name]) => name);
};

test.each([[['--help']], [['help']]])(
  '%j tells a newcomer the eight commands, and what exit codes mean',
  async (words) => {
    const { code, output, errors } = await run(words);
    expect([code, errors]).toEqual([0, '']);
    expect(listHelped(output)).toEqual(['demo', 'init', 'check', 'run', 'status', 'schedule', 'open', 'alerts']);
    expect(output).toContain('muster help --all');
    expect(output).toContain('Exit codes');
  },
);

test('help --all shows every command, and help of one what it does', async () => {
  const all = listHelped((await run(['help', '--all'])).output);
  expect(all.toSorted()).toEqual(
    'accept alerts artifacts check completion demo diff help init open prune rebuild retract run sandbox schedule status verify'.split(
      ' ',
    ),
  );
  expect(listHelped((await run(['help'])).output)).toHaveLength(8);
  expect((await run(['help', 'rebuild'])).output).toMatch(/^Usage: muster rebuild <date> --to <folder>\n/);
  expect(await run(['help', 'rebuidl'])).toMatchObject({
    code: 2,
    errors: expect.stringContaining("Unknown command 'rebuidl'"),
  });
});

test('the help of check says what canaries are', async () => {
  const { code, output } = await run(['check', '--help']);
  expect(code).toBe(0);
  expect(output).toContain('deployment.canaries');
  expect(output).toContain('Keep two for each source');
});

test('the version is printed, by a process of its own', async () => {
  expect(await inFolder((folder) => muster(['--version'], { folder }))).toEqual({
    code: 0,
    output: `${version}\n`,
    errors: '',
  });
});

test.each([
  [['run'], 'muster [settings-unreadable]: The settings file muster.yaml could not be read (ENOENT).'],
  [['verify', '--settings', 'gone.yaml'], 'muster [settings-unreadable]: The settings file gone.yaml'],
  [['sandbox', '--fault', 'throttld-seconds'], 'muster [command-line]: The simulator was not started: '],
])('%j is refused with a sentence and exit 2', async (words, beginning) => {
  const { code, output, errors } = await run(words);
  expect([code, output]).toEqual([2, '']);
  expect(errors.startsWith(beginning), errors).toBe(true);
});

test('every mistake in the settings is a sentence of its own, exit 2, and no secret is repeated', async () => {
  const yaml = `
agnt: { name: x }
sources:
  - { name: macs, platform: jamf, url: "http://example.com", auth: { clientId: a, clientSecret: canary-1 }, extensionAttribute: x }
  - { name: linux, platform: kandji, password: canary-2 }
store: ftp://example
policy: { staleAfterDays: soon, breaker: { minimumDevice: 1 } }
schedule: { cron: "* * * * *", timezone: Nowhere }
privacy: { users: hide }
`;
  const { code, errors } = await inFolder(async (folder) => {
    await writeFile(join(folder, 'muster.yaml'), yaml);
    return musterHere(['run'], { folder });
  });
  expect(code).toBe(2);
  const paths = [...errors.matchAll(/^ {2}(\S+): .*[.?]$/gm)].map((match) => match[1]);
  expect(paths.sort()).toEqual([
    'agnt',
    'policy.breaker.minimumDevice',
    'policy.staleAfterDays',
    'privacy.users',
    'schedule.cron',
    'schedule.timezone',
    'sources[0].auth.clientSecret',
    'sources[0].url',
    'sources[1].password',
    'sources[1].platform',
    'store',
  ]);
  expect(errors).not.toContain('canary');
});
