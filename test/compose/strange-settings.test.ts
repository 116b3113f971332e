/** Settings that a stranger wrote: names of built-in fields, thousands of lines, each twice. */
import { describe, expect, it } from 'vitest';
import { least } from '../settings/least.ts';
import { changed, listProblems } from './full-settings.ts';

describe('A15: settings of a stranger', () => {
  it.each(['toString', '__proto__'])('env:%s is a variable that is not set', (name) => {
    const yaml = changed(/clientSecret: env:\w+/, `clientSecret: env:${name}`);
    expect(listProblems(yaml, {})).toContainEqual(
      expect.stringContaining(`the environment variable ${name}, which is not set`),
    );
  });

  const listKeys = (count: number) => Array.from({ length: count }, (_, index) => `key${index}: 1`);
  it('with thousands of unknown settings are refused without comparing each with each', () => {
    const many = listKeys(15_000);
    for (const [yaml, block] of [
      [`${least}${many.join('\n')}\n`, ''],
      [`${least}retention: { ${many.join(', ')} }\n`, 'retention.'],
    ]) {
      const problems = listProblems(yaml ?? '');
      expect(problems).toHaveLength(21);
      expect(problems[19]).toBe(`${block}key19: is not a setting.`);
      expect(problems[20]).toMatch(/^(settings|retention): has 14980 more names that are no settings\.$/);
    }
    expect(listProblems(`${least}${listKeys(60_000).join('\n')}\n`)).toEqual([
      expect.stringMatching(/^settings: is longer than/),
    ]);
  });

  it('that say a setting twice are refused at its second place, in every block', () => {
    const doubled = listProblems(`${least}retention: { nights: 1, nights: 2 }\nretention: {}\n`);
    expect(doubled.map((problem) => problem.replace(/line \d+/, 'line'))).toEqual([
      'settings: line, column 25: this setting stands twice in its block.',
      'settings: line, column 1: this setting stands twice in its block.',
    ]);
  });
});
