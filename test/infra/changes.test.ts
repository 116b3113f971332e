/** The lines of `npm run deploy -- --dry-run`, from one option of the settings to another. */
import { describe, expect, it } from 'vitest';
import { describeChanges } from '../../infra/plan/changes.ts';
import { parseTemplate, type Template } from '../../infra/plan/deployed.ts';
import { options, planOption } from './stack-options.ts';
import { readTemplate } from './template.ts';

const templates = new Map<string, Template>();

function open(option: string): Template {
  const template = templates.get(option) ?? parseTemplate(JSON.stringify(readTemplate(planOption(option).stack)));
  templates.set(option, template);
  return template;
}

const listNames = (word: string, lines: readonly string[]) =>
  lines.flatMap((line) => new RegExp(`^${word} +(\\w+) \\(`).exec(line)?.[1] ?? []);

describe('the changes of a deployment', () => {
  it('are everything where nothing is deployed, and nothing where the same is', () => {
    const least = open('least');
    const count = Object.keys(least.Resources).length;
    const lines = describeChanges(undefined, least);
    expect(listNames('make', lines)).toEqual(Object.keys(least.Resources));
    expect(lines.at(-1)).toBe(`${count} to make, 0 to change, 0 to remove; 0 stay as they are.`);
    expect(describeChanges(least, least)).toEqual([`0 to make, 0 to change, 0 to remove; ${count} stay as they are.`]);
  });

  it.each(Object.entries(options).map(([name, { beside = 'least' }]) => [name, beside]))(
    'to %s and back are the same resources the other way round',
    (name, beside) => {
      const there = describeChanges(open(beside), open(name));
      const back = describeChanges(open(name), open(beside));
      expect(listNames('remove', back)).toEqual(listNames('make', there));
      expect(listNames('make', back)).toEqual(listNames('remove', there));
      expect(listNames('change', back)).toEqual(listNames('change', there));
    },
  );

  it('name what AWS keeps, and short values from and to', () => {
    const lines = describeChanges(open('audit under its own key'), open('size and time'));
    expect(lines).toEqual(
      expect.arrayContaining([
        'remove  AuditKey (AWS::KMS::Key): leaves the stack, and AWS keeps it',
        'remove  AuditBucketPolicy (AWS::S3::BucketPolicy)',
        'change  DurationAlarm (AWS::CloudWatch::Alarm)',
        '          Properties.Threshold: 720000 → 480000',
      ]),
    );
  });

  it('leave out the key of the code, which is another one in each deployment', () => {
    const withCode = (S3Key: string): Template => {
      const NightLambdaFunction = { Type: 'AWS::Lambda::Function', Properties: { Code: { S3Key }, Timeout: 900 } };
      return { Resources: { NightLambdaFunction }, options: {} };
    };
    expect(describeChanges(withCode('1'), withCode('2'))).toHaveLength(1);
  });
});
