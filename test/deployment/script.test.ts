/** The attribute's script is known or accepted; whatever else is done to it never passes. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCheck } from '../../src/deployment/checks/check.ts';
import type { AttributeFacts } from '../../src/deployment/checks/jamf/reading.ts';
import { extensionAttribute } from '../../src/deployment/checks/jamf/scripts.ts';
import { attributeTemplates } from '../../src/deployment/script-templates.ts';
import type { DeploymentSettings } from '../../src/deployment/settings.ts';
import { makeContext, makeJamfReading, one } from './judging.ts';

const path = '/usr/local/fhfs/bin/fhagent';
const yes = '<result>Installed</result>';
const no = '<result>Not Installed</result>';
const documented = attributeTemplates[0].render(path);

function judge(
  script: string,
  accepted: DeploymentSettings['accepted'] = [],
  change: Partial<AttributeFacts> = {},
  at: { readonly slot?: string; readonly moment?: Date } = {},
) {
  const attribute = one({ enabled: true, dataType: 'STRING', inputType: 'SCRIPT', script, ...change });
  return runCheck(extensionAttribute, makeJamfReading({ attribute }), { ...makeContext({ accepted }), ...at });
}

/** Of the text saved as a file on a Mac, as `shasum -a 256` says it. */
function sha256(file: string): string {
  return createHash('sha256').update(file).digest('hex');
}

const sh = (...lines: string[]) => `#!/bin/sh\n${lines.join('\n')}\n`;

/** The same text, as web pages and servers hand it on. */
const same: Readonly<Record<string, string>> = {
  'as rendered': documented,
  'line ends of Windows': documented.replaceAll('\n', '\r\n'),
  'no line break at the end': documented.slice(0, -1),
  'two line breaks at the end': `${documented}\n`,
  'line ends of Windows, three of them at the end': `${documented}\n\n`.replaceAll('\n', '\r\n'),
};

/** They measure the same, but only a person can say so. */
const harmless: Readonly<Record<string, string>> = {
  'white space at the end': `${documented}  \n`,
  comments: documented.replace('if', '# is it "there\'s"?\nif').replace('fi\n', 'fi # done\n'),
  bash: documented.replace('/bin/sh', '/bin/bash'),
  'a variable for the path': sh(`agent="${path}"`, `if [ -e "$agent" ]; then echo "${yes}"; else echo "${no}"; fi`),
};

/** Each is a change somebody could make; none may ever pass. */
const spoiled: Readonly<Record<string, string>> = {
  'another file': documented.replace(path, '/usr/local/fhfs/bin/fhtools'),
  'a look-alike letter': documented.replace('fhagent', 'fh\u0430gent'),
  'the test turned round': documented.replace('[ -e', '[ ! -e'),
  'the words swapped': documented.replace(yes, 'X').replace(no, yes).replace('X', no),
  'always installed': documented.replace(no, yes),
  'an exit before the test': documented.replace('if', 'exit 0\nif'),
  'a command substitution': documented.replace(path, '$(echo /tmp/x)'),
  'an interpreter that does nothing': `#!/bin/sh -n\n${documented.slice(10)}`,
  'cut short': documented.slice(0, -4),
  'a carriage return in the middle': documented.replace('; then', ';\rthen'),
  'a space that is none': documented.replace('[ -e', '[\u00a0-e'),
  'a byte-order mark, behind which #! is not found': `\uFEFF${documented}`,
  'only a comment': '#!/bin/sh\n# nothing\n',
};

it.each(Object.entries(same))('the rendered script with %s passes', (_what, script) => {
  expect(judge(script)).toMatchObject({ result: 'pass', found: expect.stringContaining('muster artifacts') });
});

describe.each(Object.entries(harmless))('a script rewritten without harm: %s', (_what, script) => {
  it('is unknown', () => {
    expect(judge(script)).toMatchObject({ result: 'unknown', found: expect.stringContaining('a different script') });
  });

  it('passes once a person has accepted it', () => {
    const accepted = [{ sha256: sha256(script), by: 'Ada Example', on: '2026-10-01' }];
    expect(judge(script, accepted)).toMatchObject({
      result: 'pass',
      found: expect.stringContaining('accepted by Ada Example on 2026-10-01'),
    });
  });
});

describe('a spoiled script', () => {
  it.each(Object.entries(spoiled))('%s: never passes', (_what, script) => {
    expect(['fail', 'unknown']).toContain(judge(script).result);
  });

  it('is never run', () => {
    const mark = join(tmpdir(), `muster-mark-${process.pid}`);
    const scripts = [sh(`touch ${mark}`), documented.replace(path, `$(touch ${mark})`), sh(`a=\`touch ${mark}\``)];
    for (const script of scripts) {
      judge(script);
    }
    expect(existsSync(mark)).toBe(false);
  });

  it('is not shown', () => {
    const script = sh('secret=canary-in-script', 'echo "<result>$secret</result>"');
    expect(JSON.stringify(judge(script))).not.toContain('canary');
  });
});

it('no script fails, and cannot be accepted', () => {
  const accepted = ['', '\n', ' \n'].map((text) => ({ sha256: sha256(text), by: 'Ada Example', on: '2026-10-01' }));
  for (const script of ['', '\r\n', ' ']) {
    const finding = judge(script, accepted);
    expect(finding).toMatchObject({ result: 'fail', found: expect.stringContaining('it has no script') });
    expect(finding.advice).not.toContain('deployment.accepted');
  }
});

describe('a script that a person has read', () => {
  const odd = sh(`ls ${path} > /dev/null 2>&1 && echo "${yes}" || echo "${no}"`);
  const by = (on: string, name = 'Ada Example') => ({ sha256: sha256(odd), by: name, on });

  it('is named by the SHA-256 of its file, with the line that accepts it on the date of the slot', () => {
    expect(judge(odd)).toMatchObject({
      result: 'unknown',
      found: `enabled, data type STRING, input type SCRIPT; a different script from the one that Muster renders (SHA-256 ${sha256(odd)})`,
      advice: expect.stringMatching(
        new RegExp(` deployment\\.accepted: - \\{ sha256: ${sha256(odd)}, by: YOUR NAME, on: 2026-11-20 \\}$`),
      ),
    });
  });

  it('is accepted on the date of the slot, which may be another than that of its moment', () => {
    const east = { slot: '2026-11-21', moment: new Date('2026-11-20T20:15:00Z') };
    expect(judge(odd, [], {}, east).advice).toContain('on: 2026-11-21 }');
    expect(judge(odd, [by('2026-11-21')], {}, east).result).toBe('pass');
  });

  it('is the same with other line ends', () => {
    for (const text of [odd.replaceAll('\n', '\r\n'), odd.slice(0, -1), `${odd}\n`]) {
      expect(judge(text, [by('2026-10-01')])).toMatchObject({ result: 'pass' });
    }
  });

  it.each([
    ['on the date of the slot', '2026-11-20', 'pass', ''],
    ['tomorrow, somewhere east', '2026-11-21', 'pass', ''],
    ['a year ago', '2025-11-20', 'pass', ''],
    ['more than a year ago', '2025-11-18', 'unknown', 'more than a year ago, which does not count'],
    ['in the future', '2026-11-23', 'unknown', 'a date in the future, which does not count'],
  ])('and accepted %s: judged at the moment of the slot', (_what, on, result, words) => {
    const finding = judge(odd, [by(on)]);
    expect(finding.result).toBe(result);
    expect(finding.found).toContain(`accepted by Ada Example on ${on}`);
    expect(finding.found).toContain(words);
  });

  it('and accepted again counts, in whichever order both are written', () => {
    const both = [by('2024-01-01'), by('2026-10-01', 'Grace Example')];
    for (const accepted of [both, both.toReversed()]) {
      expect(judge(odd, accepted)).toMatchObject({
        result: 'pass',
        found: expect.stringContaining('Grace Example on 2026-10-01'),
      });
    }
  });

  it.each([
    ['a disabled attribute', { enabled: false }, 'disabled, data type STRING, input type SCRIPT'],
    ['another data type', { dataType: 'INTEGER' }, 'enabled, data type INTEGER, input type SCRIPT'],
    ['another input type', { inputType: 'A b' }, 'enabled, data type STRING, input type "A b"'],
  ])('does not save %s', (_what, change, found) => {
    expect(judge(odd, [by('2026-10-01')], change)).toMatchObject({ result: 'fail', found });
  });
});
