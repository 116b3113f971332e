/** The attribute's script is known or accepted; whatever else is done to it never passes. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkAttribute } from '../../src/deployment/checks/attribute.ts';
import { type Acceptance, emptyDeploymentSettings } from '../../src/deployment/deployment-settings.ts';
import { attributeTemplates } from '../../src/deployment/script-templates.ts';

const path = '/usr/local/fhfs/bin/fhagent';
const yes = '<result>Installed</result>';
const no = '<result>Not Installed</result>';
const documented = attributeTemplates[0].render(path);

const slot = '2026-11-20';
const moment = new Date('2026-11-20T05:15:00Z');

function judge(script: string, accepted: readonly Acceptance[] = []) {
  const facts = { enabled: true, dataType: 'STRING', inputType: 'SCRIPT', script };
  return checkAttribute({ is: 'one', value: facts }, emptyDeploymentSettings, { accepted, slot, moment });
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
  'zsh without start-up files': documented.replace('/bin/sh', '/bin/zsh --no-rcs'),
  'env bash': documented.replace('/bin/sh', '/usr/bin/env bash'),
  '-f': documented.replace('-e', '-f'),
  '-x': documented.replace('-e', '-x'),
  'double brackets without quotes': documented.replace(`[ -e "${path}" ]`, `[[ -e ${path} ]]`).replace('/sh', '/bash'),
  test: documented.replace(`[ -e "${path}" ]`, `test -e '${path}'`),
  'negated inside': sh(`if [ ! -e ${path} ]; then echo "${no}"; else echo "${yes}"; fi`),
  'negated outside': sh(`if ! test -e ${path}; then`, `echo '${no}'`, 'else', `echo '${yes}'`, 'fi'),
  'and, or': sh(`[ -e "${path}" ] && echo "${yes}" || echo "${no}"`),
  'or, negated': sh(`[ ! -e "${path}" ] && echo "${no}" || echo "${yes}"`),
  'a variable for the path': sh(`agent="${path}"`, `if [ -e "$agent" ]; then echo "${yes}"; else echo "${no}"; fi`),
  'a variable in braces': sh(`AGENT=${path}`, `if [ -f "\${AGENT}" ]; then echo "${yes}"; else echo "${no}"; fi`),
  'a variable for the result': sh(
    `if [ -e ${path} ]; then r="Installed"; else r="Not Installed"; fi`,
    'echo "<result>$r</result>"',
  ),
  'a result set beforehand': sh('r="Not Installed"', `[ -e ${path} ] && r=Installed`, `echo "<result>\${r}</result>"`),
  'both variables': sh(
    `a='${path}'; r='Not Installed'`,
    'if test -x "$a"; then r=Installed; fi',
    'printf \'<result>%s</result>\\n\' "$r"',
  ),
  'printf without values': sh(`[ -e ${path} ] && printf "${yes}\\n" || printf '${no}'`),
  'an early exit': sh(`if [ -e "${path}" ]; then echo "${yes}"; exit 0; fi`, `echo "${no}"`, 'exit'),
};

/** Each is a change somebody could make; none may ever pass. */
const spoiled: Readonly<Record<string, string>> = {
  'another file': documented.replace(path, '/usr/local/fhfs/bin/fhtools'),
  'another folder': documented.replace('/usr/local', '/opt'),
  'another case': documented.replace('fhagent', 'FHAgent'),
  'a slash more': documented.replace(`${path}"`, `${path}/"`),
  'a pattern': documented.replace(`"${path}"`, '/usr/local/fhfs/bin/fh*'),
  'a look-alike letter': documented.replace('fhagent', 'fh\u0430gent'),
  'a folder, not a file': documented.replace('-e', '-d'),
  'the test turned round': documented.replace('[ -e', '[ ! -e'),
  'the words swapped': documented.replace(yes, 'X').replace(no, yes).replace('X', no),
  'always installed': documented.replace(no, yes),
  'no test at all': sh(`echo "${yes}"`),
  'a test that is always true': documented.replace(`[ -e "${path}" ]`, '[ -e / ]'),
  'a test without a path': documented.replace(`[ -e "${path}" ]`, `[ "${path}" ]`),
  'another word': documented.replace(no, '<result>Missing</result>'),
  'another case of the word': documented.replace(yes, '<result>installed</result>'),
  'a space inside the tags': documented.replace(yes, '<result> Installed</result>'),
  'no tags': documented.replace(yes, 'Installed'),
  'half a tag': documented.replace(yes, '<result>Installed'),
  'no else': sh(`if [ -e "${path}" ]; then echo "${yes}"; fi`),
  'two answers': documented.replace(`echo "${yes}"`, `echo "${yes}"; echo "${no}"`),
  'the wrong order of and, or': sh(`[ -e "${path}" ] || echo "${no}" && echo "${yes}"`),
  'an exit before the test': documented.replace('if', 'exit 0\nif'),
  'a second condition': documented.replace(' ]; then', ' ] && [ -e /tmp/x ]; then'),
  'a second condition inside': documented.replace(' ]; then', ' -o -e /tmp/x ]; then'),
  elif: documented.replace('else', 'elif [ -e /tmp/x ]; then\n  echo "<result>Installed</result>"\nelse'),
  'a command substitution': documented.replace(path, '$(echo /tmp/x)'),
  backquotes: documented.replace(yes, '`id`'),
  'a parameter': documented.replace(path, '$4'),
  'a default value': sh(`a="\${x:-${path}}"`, `[ -e "$a" ] && echo "${yes}" || echo "${no}"`),
  'the path changed on the way': sh(`a=${path}`, 'a=/tmp/x', `[ -e "$a" ] && echo "${yes}" || echo "${no}"`),
  'an unset variable': documented.replace(`"${path}"`, '$agent'),
  'a result that one branch leaves out': sh(`if [ -e ${path} ]; then r=Installed; fi`, 'echo "<result>$r</result>"'),
  'a value that falls apart': sh(`r="Not Installed"; [ -e ${path} ] && r=Installed`, "printf '<result>%s</result>' $r"),
  'a function called echo': `#!/bin/sh\necho() { printf '${yes}'; }\n${documented.slice(10)}`,
  'an alias': documented.replace('if', 'alias test=true\nif'),
  'another PATH': documented.replace('if', 'PATH=/tmp\nif'),
  'another IFS': sh(`IFS=/`, `a=${path}`, `[ -e $a ] && echo "${yes}" || echo "${no}"`),
  'a name that zsh keeps for itself': `#!/bin/zsh\nstatus="Not Installed"\n[ -e ${path} ] && status=Installed\necho "<result>$status</result>"\n`,
  'a pipe': documented.replace(`echo "${yes}"`, `echo "${yes}" | sed s/I/i/`),
  'a redirection': documented.replace(`echo "${yes}"`, `echo "${yes}" > /tmp/x`),
  'in the background': documented.replace(`echo "${yes}"`, `echo "${yes}" &`),
  'a subshell': documented.replace(`echo "${yes}"`, `(echo "${yes}")`),
  'another program first': documented.replace('if', '/usr/bin/touch /tmp/x\nif'),
  'a sourced file': documented.replace('if', '. /tmp/x\nif'),
  eval: sh(`eval '[ -e ${path} ]' && echo "${yes}" || echo "${no}"`),
  python: `#!/usr/bin/python3\n${documented.slice(10)}`,
  'an interpreter that does nothing': `#!/bin/sh -n\n${documented.slice(10)}`,
  'no interpreter': documented.slice(10),
  'cut short': documented.slice(0, -4),
  'a loose quote': documented.replace(`"${path}"`, `"${path}`),
  'a carriage return in the middle': documented.replace('; then', ';\rthen'),
  'a space that is none': documented.replace('[ -e', '[\u00a0-e'),
  'a line continued into a comment': documented.replace('; then', '; \\\n# then\nthen'),
  'a byte-order mark, behind which #! is not found': `\uFEFF${documented}`,
  empty: '',
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
  it('is spoiled in enough ways', () => {
    expect(Object.keys(spoiled).length).toBeGreaterThanOrEqual(54);
    expect(Object.keys(harmless).length).toBeGreaterThanOrEqual(18);
    expect(new Set([documented, ...Object.values(harmless), ...Object.values(spoiled)]).size).toBe(
      1 + Object.keys(harmless).length + Object.keys(spoiled).length,
    );
  });

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
      found: expect.stringContaining(`(SHA-256 ${sha256(odd)})`),
      advice: expect.stringMatching(
        new RegExp(` deployment\\.accepted: - \\{ sha256: ${sha256(odd)}, by: YOUR NAME, on: 2026-11-20 \\}$`),
      ),
    });
  });

  it('is accepted on the date of the slot, which may be another than that of its moment', () => {
    const value = { enabled: true, dataType: 'STRING', inputType: 'SCRIPT', script: odd };
    const east = { slot: '2026-11-21', moment: new Date('2026-11-20T20:15:00Z') };
    expect(checkAttribute({ is: 'one', value }, emptyDeploymentSettings, { ...east, accepted: [] }).advice).toContain(
      'on: 2026-11-21 }',
    );
    expect(
      checkAttribute({ is: 'one', value }, emptyDeploymentSettings, { ...east, accepted: [by('2026-11-21')] }).result,
    ).toBe('pass');
  });

  it('is the same with other line ends', () => {
    for (const text of [odd.replaceAll('\n', '\r\n'), odd.slice(0, -1), `${odd}\n`]) {
      expect(judge(text, [by('2026-10-01')])).toMatchObject({ result: 'pass' });
    }
  });

  it('is another one after the smallest change', () => {
    expect(judge(odd.replace('ls', 'lt'), [by('2026-10-01')]).result).toBe('unknown');
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
    ['a disabled attribute', { enabled: false }],
    ['another data type', { dataType: 'INTEGER' }],
    ['another input type', { inputType: 'TEXT' }],
  ])('does not save %s', (_what, change) => {
    const value = { enabled: true, dataType: 'STRING', inputType: 'SCRIPT', script: odd, ...change };
    expect(
      checkAttribute({ is: 'one', value }, emptyDeploymentSettings, { accepted: [by('2026-10-01')], slot, moment })
        .result,
    ).toBe('fail');
  });
});
