/** The attribute's script: what can be done to it and must be noticed, and what may be done to it. */
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { judgeScript, scriptSha256 } from '../../src/deployment/checks/attribute-script.ts';

const path = '/usr/local/fhfs/bin/fhagent';
const yes = '<result>Installed</result>';
const no = '<result>Not Installed</result>';
const documented = `#!/bin/sh
if [ -e "${path}" ]; then
  echo "${yes}"
else
  echo "${no}"
fi
`;

const sh = (...lines: string[]) => `#!/bin/sh\n${lines.join('\n')}\n`;

/** Plain forms, and nothing changed in what they say. */
const harmless: Readonly<Record<string, string>> = {
  documented,
  'line ends of Windows': documented.replaceAll('\n', '\r\n'),
  'a byte-order mark, and white space at the end': `\uFEFF${documented}\n  \n`,
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
  empty: '',
  'only a comment': '#!/bin/sh\n# nothing\n',
};

describe('a script in a plain form', () => {
  it.each(Object.entries(harmless))('%s: passes', (_what, script) => {
    expect(judgeScript(script, [])).toMatchObject({ is: 'sound' });
  });
});

describe('a spoiled script', () => {
  it('is spoiled in enough ways', () => {
    expect(Object.keys(spoiled).length).toBeGreaterThanOrEqual(30);
    expect(Object.keys(harmless).length).toBeGreaterThanOrEqual(15);
  });

  it.each(Object.entries(spoiled))('%s: never passes', (_what, script) => {
    expect(['wrong', 'not understood']).toContain(judgeScript(script, []).is);
  });

  it('is never run', () => {
    const mark = join(tmpdir(), `muster-mark-${process.pid}`);
    const scripts = [sh(`touch ${mark}`), documented.replace(path, `$(touch ${mark})`), sh(`a=\`touch ${mark}\``)];
    for (const script of scripts) judgeScript(script, []);
    expect(existsSync(mark)).toBe(false);
  });

  it('is not shown', () => {
    const script = sh('secret=canary-in-script', 'echo "<result>$secret</result>"');
    expect(JSON.stringify(judgeScript(script, []))).not.toContain('canary');
  });
});

describe('a script that a person has read', () => {
  const odd = sh(`ls ${path} > /dev/null 2>&1 && echo "${yes}" || echo "${no}"`);
  const accepted = [{ sha256: scriptSha256(odd), by: 'Ada Example', on: '2026-10-01' }];

  it('is told by its SHA-256, whatever its line ends', () => {
    expect(judgeScript(odd, [])).toMatchObject({
      is: 'not understood',
      words: expect.stringContaining(scriptSha256(odd)),
    });
    const verdict = judgeScript(odd.replaceAll('\n', '\r\n'), accepted);
    expect(verdict).toMatchObject({
      is: 'vouched',
      words: expect.stringContaining('Ada Example vouched for on 2026-10-01'),
    });
  });

  it('is another one after the smallest change', () => {
    expect(judgeScript(odd.replace('ls', 'lt'), accepted).is).toBe('not understood');
  });

  it('cannot make a script sound that is known to be wrong', () => {
    const wrong = documented.replace(path, '/tmp/x');
    expect(judgeScript(wrong, [{ by: 'Ada Example', on: '2026-10-01', sha256: scriptSha256(wrong) }]).is).toBe('wrong');
  });
});
