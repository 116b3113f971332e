/** docs/alerts.md shows what a run of the simulator says; `npm run test:one test/docs/alerts.test.ts -- -u` writes it anew. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ChannelSettings } from '../../src/alerts/channel-kinds.ts';
import { type AlertMessage, buildSections } from '../../src/alerts/message/digest.ts';
import { renderPlainText } from '../../src/alerts/message/plain-text.ts';
import { eventKinds } from '../../src/core/facts/event-kinds.ts';
import { openPlain, subjects } from '../alerts/channel-subjects.ts';
import { removeFolders } from '../whole-runs/simulator-runs.ts';
import { type AlertExamples, runAllAlerts } from './run-all-alerts.ts';

const file = join(import.meta.dirname, '..', '..', 'docs', 'alerts.md');
const page = readFileSync(file, 'utf8');

let examples: AlertExamples;
beforeAll(async () => {
  examples = await runAllAlerts();
});
afterAll(removeFolders);

/** Of a night that tells several, only this kind, and not more than three of it. */
function only(kind: string): AlertMessage {
  const message = examples.reported.get(kind);
  if (message === undefined) {
    throw new Error(`the simulator never reported ${kind}`);
  }
  const events = message.events.filter((event) => event.kind === kind).slice(0, 3);
  const sections = message.digest.about === 'night' ? buildSections(events) : message.digest.sections;
  return { digest: { ...message.digest, sections }, events };
}

function kindBlock(kind: string): string {
  const text = renderPlainText(only(kind).digest);
  const first = text.indexOf('\n\n') + 2;
  const lines = text
    .slice(first)
    .split('\n')
    .filter((line) => !line.startsWith('The whole report'));
  return `\`\`\`text\n${examples.named(lines.join('\n')).trim()}\n\`\`\``;
}

function messageBlock(channel: ChannelSettings['type']): string {
  const message = channel === 'eventbridge' || channel === 'pagerduty' ? only('device.lost') : calm(channel);
  const { settings, show = (payload: unknown) => payload } = subjects[channel];
  const shown = show(openPlain(settings('https://hooks.example.com')).render(message)[0]);
  const isText = typeof shown === 'string';
  const body = isText ? shown : JSON.stringify(shown, null, 2);
  return `<details><summary>A message</summary>\n\n\`\`\`${isText ? 'text' : 'json'}\n${examples.named(body).trim()}\n\`\`\`\n\n</details>`;
}

/** A night with a little of several things. What waited for it, programs have had before. */
function calm(channel: string): AlertMessage {
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

it('shows every kind of event and every channel, as they are now', async () => {
  const documented = [...page.matchAll(/<!-- kind: (\S+) -->/g)].map(([, kind]) => kind);
  expect(documented.sort()).toEqual([...Object.keys(eventKinds), 'test'].sort());
  expect([...page.matchAll(/<!-- message: (\S+) -->/g)].map(([, name]) => name).sort()).toEqual(
    Object.keys(subjects).sort(),
  );
  const filled = page
    .replace(
      /(<!-- kind: (\S+) -->\n)[\s\S]*?(<!-- \/kind -->)/g,
      (_, open, kind, close) => `${open}${kindBlock(kind)}\n${close}`,
    )
    .replace(
      /(<!-- message: (\S+) -->\n)[\s\S]*?(<!-- \/message -->)/g,
      (_, open, name, close) => `${open}${messageBlock(name)}\n${close}`,
    );
  expect(filled).not.toMatch(/127\.0\.0\.1|localhost|canary[-@_]/);
  await expect(filled).toMatchFileSnapshot(file);
});

it('names the kinds that are sent at once', () => {
  const [, sentence = ''] = /These are sent at once when they are new .*?: (.*?)\. All others/.exec(page) ?? [];
  const urgent = Object.entries(eventKinds).filter(([, { urgency }]) => urgency === 'now');
  expect(sentence.split(', ').sort()).toEqual(urgent.map(([kind]) => `\`${kind}\``).sort());
});

it('checks a signature as the page says', () => {
  const [, code = ''] = /```js\n([\s\S]*?)```/.exec(page) ?? [];
  expect(code.trim().split('\n').length).toBeLessThanOrEqual(10);
});
