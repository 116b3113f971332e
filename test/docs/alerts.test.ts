/**
 * docs/alerts.md names every alert as the code has it; docs/examples/ shows what a run of the simulator says of each, and
 * what each channel is sent. `npm run test:one test/docs/alerts.test.ts -- -u` writes the examples anew.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChannelSettings } from '../../src/alerts/channel-kinds.ts';
import { type AlertMessage, buildSections, shortenDigest } from '../../src/alerts/message/digest.ts';
import { renderPlainText } from '../../src/alerts/message/plain-text.ts';
import { type EventKind, eventKinds } from '../../src/core/facts/event-kinds.ts';
import { openPlain, subjects } from '../alerts/channel-subjects.ts';
import { removeFolders } from '../whole-runs/simulator-runs.ts';
import { type AlertExamples, runAllAlerts } from './run-all-alerts.ts';

const docs = join(import.meta.dirname, '..', '..', 'docs');
const page = readFileSync(join(docs, 'alerts.md'), 'utf8');

describe('docs/alerts.md', () => {
  it('is read in one go: at most 25 kB', () => {
    expect(Buffer.byteLength(page)).toBeLessThanOrEqual(25_000);
  });

  it('has every kind of event in a table, as severe as it is, and as soon and as often as it is sent', () => {
    const rows = [...page.matchAll(/^\| ((?:`[a-z.-]+`(?:, )?)+) \| ((?:error|warning|info), [a-z, ]+) \|/gm)];
    const documented = rows.flatMap(([, kinds = '', how]) => kinds.split(', ').map((kind) => `${kind} ${how}`));
    const actual = Object.keys(eventKinds).map((kind) => `\`${kind}\` ${describeSending(kind as EventKind)}`);
    expect(documented.sort()).toEqual(actual.sort());
  });
});

function describeSending(kind: EventKind): string {
  const { severity, resolvedSeverity, urgency, isReminded }: (typeof eventKinds)[EventKind] & Sending =
    eventKinds[kind];
  const when = urgency === 'now' ? 'at once' : 'weekly';
  return [resolvedSeverity ?? severity, when, ...(isReminded ? ['reminded'] : [])].join(', ');
}

/** What some kinds have and others lack. */
interface Sending {
  readonly resolvedSeverity?: string;
  readonly isReminded?: boolean;
}

describe('docs/examples', () => {
  let examples: AlertExamples;
  beforeAll(async () => {
    examples = await runAllAlerts();
  });
  afterAll(removeFolders);

  /** Of a run that reports several, only this kind, and at most three of it and of a list. */
  function only(kind: string): AlertMessage {
    const message = examples.reported.get(kind);
    if (message === undefined) {
      throw new Error(`the simulator never reported ${kind}`);
    }
    const events = message.events.filter((event) => event.kind === kind).slice(0, 3);
    const sections = message.digest.about === 'night' ? buildSections(events) : message.digest.sections;
    return { digest: shortenDigest({ ...message.digest, sections }, 3), events };
  }

  function describeKind(kind: string): string {
    const text = renderPlainText(only(kind).digest);
    const lines = text
      .slice(text.indexOf('\n\n') + 2)
      .split('\n')
      .filter((line) => !line.startsWith('The whole report'));
    return `## \`${kind}\`\n\n\`\`\`text\n${lines.join('\n').trim()}\n\`\`\`\n`;
  }

  /** A run with a little of several things. What waited for it, programs have had before. */
  function chooseMessage(channel: ChannelSettings['type']): AlertMessage {
    if (channel === 'eventbridge' || channel === 'pagerduty') {
      return only('device.lost');
    }
    const message = examples.reported.get('count.left');
    if (message === undefined) {
      throw new Error('the simulator never reported count.left');
    }
    if (channel === 'webhook') {
      const events = message.events.filter(({ slot }) => slot === message.digest.slot);
      const kinds = [...new Set(events.map(({ kind }) => kind))];
      return { digest: { ...message.digest, kinds, sections: buildSections(events, message.digest.link) }, events };
    }
    return message;
  }

  async function expectFile(name: string, text: string): Promise<void> {
    const written = examples.named(`${text.trim()}\n`);
    expect(written).not.toMatch(/127\.0\.0\.1|localhost|canary[-@_]/);
    await expect(written).toMatchFileSnapshot(join(docs, 'examples', name));
  }

  it('has what a message says of each kind of event', async () => {
    const start =
      '# What a message says of each alert\n\n' +
      'From a run of the simulator in which everything happens once; of a list, the first three lines are shown. ' +
      '[alerts.md](../alerts.md#every-alert) says when each alert opens and ends, and what to do.\n';
    const kinds = [...Object.keys(eventKinds), 'test'];
    await expectFile('alerts.md', [start, ...kinds.map(describeKind)].join('\n'));
  });

  it.each(Object.keys(subjects) as ChannelSettings['type'][])(
    'has what %s is sent, linked from the page',
    async (type) => {
      const { settings, show } = subjects[type];
      const [payload] = openPlain(settings('https://hooks.example.com')).render(chooseMessage(type));
      for (const [name, shown] of Object.entries(show?.(payload) ?? { [`${type}.json`]: payload })) {
        expect(page).toContain(`](examples/messages/${name})`);
        await expectFile(`messages/${name}`, typeof shown === 'string' ? shown : JSON.stringify(shown, null, 2));
      }
    },
  );
});

it('docs/events.md checks a signature in ten lines at most', () => {
  const [, code = ''] = /```js\n([\s\S]*?)```/.exec(readFileSync(join(docs, 'events.md'), 'utf8')) ?? [];
  expect(code.trim()).not.toBe('');
  expect(code.trim().split('\n').length).toBeLessThanOrEqual(10);
});
