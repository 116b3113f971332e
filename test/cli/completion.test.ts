/** `muster completion`: real shells load its script and are asked what they would offer. */
import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { needProgram } from '../needs.ts';
import { finished, program, programEnvironment } from './muster.ts';

const muster = `'${process.execPath}' '${program}'`;

const bash = `
muster() { ${muster} "$@"; }
# What the script uses of bash-completion, which is a package of its own.
_get_comp_words_by_ref() { cur=\${COMP_WORDS[COMP_CWORD]}; prev=\${COMP_WORDS[COMP_CWORD-1]}; words=("\${COMP_WORDS[@]}"); cword=$COMP_CWORD; }
eval "$(muster completion bash)"
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
$(complete -p muster | sed 's/.* -F \\([^ ]*\\) .*/\\1/') 2>/dev/null
printf '%s\\n' "\${COMPREPLY[@]}"
`;

const fish = `
function muster; ${muster} $argv; end
muster completion fish | source
complete -C "$argv" | string split -f 1 \\t
`;

const shells: Record<string, (words: readonly string[]) => string[]> = {
  bash: (words) => ['--norc', '-c', bash, 'bash', ...words],
  fish: (words) => ['--no-config', '-c', fish, words.join(' ')],
};

const questions: [readonly string[], string[]][] = [
  [['muster', 've'], ['verify']],
  [
    ['muster', 'alerts', ''],
    ['help', 'preview', 'show', 'test'],
  ],
  [['muster', 'verify', '--p'], ['--public-key']],
  [['muster', 'verify', '--se'], ['--settings']],
];

test.for(Object.keys(shells).flatMap((shell) => questions.map(([words, offered]) => ({ shell, words, offered }))))(
  '$shell completes $words',
  async ({ shell, words, offered }, { skip }) => {
    needProgram(skip, shell);
    const ended = await finished(spawn(shell, shells[shell]?.(words) ?? [], { env: programEnvironment }));
    expect(ended.output.trim().split(/\s+/).sort(), ended.errors).toEqual(offered);
  },
);

test('the help of completion says where each shell loads the script', async () => {
  const { output } = await finished(spawn(process.execPath, [program, 'completion', '--help']));
  for (const line of ['eval "$(muster completion bash)"', 'eval "$(muster completion zsh)"', '~/.config/fish']) {
    expect(output).toContain(line);
  }
});
