/** The command line: what it refuses, and with which words and exit codes. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inFolder, muster } from './muster.ts';

describe('the command line', () => {
  it('tells a newcomer where to begin and what the exit codes mean', async () => {
    const { code, output } = await inFolder((folder) => muster(['--help'], { folder }));
    expect(code).toBe(0);
    expect(output).toContain('muster demo');
    expect(output).toContain('Exit codes');
    for (const command of ['run', 'schedule', 'check', 'demo', 'sandbox', 'accept', 'verify', 'rebuild']) {
      expect(output).toMatch(new RegExp(`^  ${command}\\b`, 'm'));
    }
  });

  it.each<[words: string[], said: string]>([
    [['run', '--slt', '2026-11-20'], 'Did you mean --slot?'],
    [['rnu'], 'Did you mean run?'],
    [['run', '--slot', '2026-02-30'], 'It must be a date such as 2026-11-20.'],
    [['run', 'now'], 'too many arguments'],
    [['accept'], "missing required argument 'slot'"],
    [['rebuild', '2026-11-20'], "required option '--to <folder>' not specified"],
    [['demo', '--nights', '0'], 'It must be a whole number from 1 to 400.'],
    [['run'], 'muster [settings-unreadable]: The settings file muster.yaml could not be read (ENOENT).'],
    [['verify', '--settings', 'gone.yaml'], 'muster [settings-unreadable]: The settings file gone.yaml'],
    [['sandbox', '--fault', 'throttld-seconds'], 'throttled-seconds'],
  ])('refuses %j with a sentence, exit 2', async (words, said) => {
    const { code, output, errors } = await inFolder((folder) => muster(words, { folder }));
    expect({ code, output }).toEqual({ code: 2, output: '' });
    expect(errors).toContain(said);
  });

  it('tells ten mistakes in the settings in ten sentences, exit 2, and no secret', async () => {
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
      return muster(['run'], { folder });
    });
    expect(code).toBe(2);
    expect(errors.match(/^ {2}\S+: .*[.?]$/gm)).toHaveLength(11);
    expect(errors).not.toContain('canary');
  });
});
