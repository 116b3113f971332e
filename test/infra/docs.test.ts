/** What docs/aws.md and docs/queries.md promise, held against the stack. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parametersOf } from './example.ts';
import { makeStack } from './template.ts';
import { fileTables, glueViews, namedQueries } from './views.ts';

const read = (name: string): string => readFileSync(join(import.meta.dirname, '../..', name), 'utf8');
const aws = read('docs/aws.md');
const queries = read('docs/queries.md');
const resources = Object.values(makeStack());

describe('docs/aws.md', () => {
  it('shows settings that can be deployed', () => {
    const yaml = /```yaml\n([\s\S]*?)```/.exec(aws)?.[1] ?? '';
    expect(parametersOf(yaml)).toMatchObject({
      reportBucket: 'example-muster',
      scheduleExpression: 'cron(15 5 * * ? *)',
      scheduleTimezone: 'Europe/London',
      tokenAudiences: 'api://AzureADTokenExchange',
    });
  });

  it('names every alarm, and no other', () => {
    const alarms = resources.filter(({ Type }) => Type === 'AWS::CloudWatch::Alarm');
    const names = alarms.map(({ Properties }) => String((Properties as { AlarmName: string }).AlarmName));
    const told = [...aws.matchAll(/^\| `…(-[a-z-]+)` \|/gm)].map((match) => `muster-prod${match[1]}`);
    expect(told.sort()).toEqual(names.sort());
  });

  it('asks the platforms for nothing but reading', () => {
    const asked = [...aws.matchAll(/^\| ((?:Read [A-Za-z ]+)|(?:\w+\.Read\.All)) \|/gm)].map((match) => match[1]);
    expect(asked).toHaveLength(10);
    // What Muster itself says is missing when it is refused.
    for (const file of ['jamf', 'intune']) {
      const named = read(`src/sources/${file}/deployment.ts`).matchAll(/'(Read [A-Z][A-Za-z ]+|\w+\.Read\.All)'/g);
      for (const [, permission] of named) {
        expect(asked).toContain(permission);
      }
    }
  });

  it('reaches every heading that it points to', () => {
    const anchors = [...aws.matchAll(/^#+ (.+)$/gm)].map((match) =>
      (match[1] ?? '')
        .toLowerCase()
        .replace(/[^a-z0-9 -]/g, '')
        .replaceAll(' ', '-'),
    );
    const pointed = [...aws.matchAll(/\]\(#([^)]+)\)/g)].map((match) => match[1] ?? '');
    expect(pointed.filter((anchor) => !anchors.includes(anchor))).toEqual([]);
  });
});

describe('docs/queries.md', () => {
  it('names every table, view and saved query', () => {
    for (const { Name } of [...fileTables, ...glueViews]) {
      expect(queries).toContain(`\`${Name}\``);
    }
    const told = [...queries.matchAll(/^\| ([A-Z][A-Za-z' ]+) \| /gm)].map((match) => match[1]);
    expect(told.sort()).toEqual(namedQueries.map(({ Name }) => Name).sort());
  });
});
