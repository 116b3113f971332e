/** When people get a message, what its title says, and the whole list of a place. */
import { describe, expect, it } from 'vitest';
import type { Channel } from '../../src/alerts/channel.ts';
import type { AlertContext } from '../../src/alerts/delivery/alert-context.ts';
import { composeMessage, selectChannelEvents } from '../../src/alerts/delivery/compose-message.ts';
import { decideDue } from '../../src/alerts/delivery/decide-due.ts';
import type { DeliveryRuns } from '../../src/alerts/delivery/delivery-log.ts';
import { describeRunEvents } from '../../src/alerts/delivery/list-channels.ts';
import type { AlertMessage } from '../../src/alerts/message/digest.ts';
import { renderPlainText } from '../../src/alerts/message/plain-text.ts';
import type { Facts } from '../../src/core/facts/facts.ts';
import type { PublishedRun } from '../../src/storage/commits/commit.ts';
import { judgeRuns, makeFacts, makeFinding, makeMac, makeSource, no, yes } from '../core/make-facts.ts';
import { fakeClock } from '../http/loopback.ts';
import { openPlain } from './channel-subjects.ts';
import { alertsWith } from './listeners.ts';

const policy = { ...makeFacts(1).policy, overdueAfterDays: 7 };

/** The messages of runs one after the other, as text; what is not due waits for the next. */
function compose(
  all: readonly Partial<Facts>[],
  channel: Partial<Channel> = {},
  alerts: Partial<AlertContext> = {},
): string[][] {
  const audience = channel.audience ?? 'people';
  const render = ({ digest }: AlertMessage) => [renderPlainText(digest)];
  const made: Channel = { name: 'one', send: async () => undefined, render, ...channel, audience };
  const context = { ...alertsWith([made], fakeClock()), ...alerts };
  let waiting: DeliveryRuns['runs'] = [];
  let first = 1;
  return judgeRuns(...all.map((one) => ({ policy, ...one }))).map((night, index) => {
    const commit = { number: index + 1, slot: night.slot };
    const events = describeRunEvents(night, [made], { number: 1, before: [] });
    waiting = [...waiting, { run: { commit, sha256: '' } as PublishedRun, events }];
    const range = { first, runs: waiting, missed: 0, open: night.state.openAlerts ?? [] };
    const due = decideDue(made, { ...range, events: selectChannelEvents(made, range), slot: night.slot }, context);
    if (due !== 'later') {
      waiting = [];
      first = index + 2;
    }
    return due === 'due' ? composeMessage(made, range, context).map(String) : [];
  });
}

const fleet = (...values: readonly string[]) => ({
  sources: [
    makeSource(
      'macs',
      values.map((value, index) => makeMac(String(index + 1), value)),
    ),
  ],
});

describe('what asks nothing of anybody', () => {
  const recovered = [fleet(yes, yes), fleet(no, yes), fleet(yes, yes)];

  it('waits for the next message', () => {
    const [, lost, calm, next] = compose([...recovered, fleet(yes, no)]);
    expect(lost?.[0]).toContain('50.00 % · 1 lost the agent\n');
    expect(calm).toEqual([]);
    expect(next?.[0]).toMatch(/\n50\.00 % · 1 lost the agent\n[\s\S]*\nGot the agent\n/);
    expect(next?.[0]).not.toContain('Since 2026');
  });

  it('waits no longer than a week', () => {
    const sent = compose([...recovered, ...Array.from({ length: 7 }, () => fleet(yes, yes))]);
    expect(sent.map(({ length }) => length)).toEqual([1, 1, 0, 0, 0, 0, 0, 0, 1, 0]);
    expect(sent[8]?.[0]).toMatch(/\nthe week's summary · 100\.00 % · nothing to do\n[\s\S]*Got the agent/);
  });

  it('comes at once with everyNight, also where nothing happened, but not to a channel that asks for some events', () => {
    const all = [...recovered, fleet(yes, yes)];
    const everyNight = { everyNight: true };
    expect(compose(all, {}, everyNight).map(([text]) => text?.split('\n')[1])).toEqual([
      '100.00 % · first run',
      '50.00 % · 1 lost the agent',
      '100.00 % · nothing to do',
      '100.00 % · nothing to do',
    ]);
    expect(compose(all, { only: { source: ['macs'] } }, everyNight).map(({ length }) => length)).toEqual([1, 1, 0, 0]);
  });

  it('is the second run of a source that needs attention, and no heading says that anything changed', () => {
    const drift = { ...makeFinding('fail'), check: 'profile', instrument: false };
    const unchanged = { sources: [makeSource('macs', [makeMac('1')], { findings: [makeFinding('pass'), drift] })] };
    const sent = compose(Array.from({ length: 15 }, () => unchanged));
    expect(sent.flatMap(({ length }, index) => (length === 1 ? [index] : []))).toEqual([0, 7, 14]);
    expect(sent[0]?.[0]).toMatch(/\nThe deployment needs attention\n[\s\S]*\nFirst run – macs/);
    expect(sent[7]?.[0]).toContain('\nThe deployment needs attention\n');
    expect(sent.join()).not.toMatch(/detection method changed/);
  });
});

it('a weekly channel hears of first runs at once, and once a week of a device that lost the agent', () => {
  const all = [fleet(yes, yes), fleet(no, yes), ...Array.from({ length: 6 }, () => fleet(no, yes))];
  expect(compose(all, { isWeekly: true }).map(({ length }) => length)).toEqual([1, 0, 0, 0, 0, 0, 0, 1]);
});

describe('a channel of one site', () => {
  const sites = (value: string) => ({
    sources: [
      makeSource(
        'macs',
        Array.from({ length: 70 }, (_, index) =>
          makeMac(String(index), index === 0 ? yes : value, { site: index < 60 ? 'Berlin' : 'Oslo' }),
        ),
      ),
    ],
    policy: { ...policy, breaker: { ...policy.breaker, minimumDevices: 1000 } },
  });
  // Overdue from the ninth run on, which the week’s summary says.
  const all = [sites(yes), ...Array.from({ length: 14 }, () => sites(no))];
  const texts = compose(all, { only: { site: ['Berlin'] } }).map(([text = '']) => text);

  it('gets all of its lost devices, and all that are overdue, with the figures of the site', () => {
    const [, lost = ''] = texts;
    expect(lost.match(/^ {2}- .*Berlin.*reported as Not Installed/gm)).toHaveLength(59);
    expect(lost).toContain('1.67 % of 60 devices of Berlin have the agent');
    const overdue = texts[14] ?? '';
    expect(overdue).toContain('% · 59 overdue\n');
    expect(overdue).toMatch(/\nStill without the agent.* 59 /);
    expect(overdue.match(/^ {2}- .*Berlin/gm)).toHaveLength(59);
    expect(texts.join('')).not.toMatch(/Oslo|in the report/);
  });

  it('or of one source gets the reminder of what is its own', () => {
    const count = (name: string) =>
      compose(all, { only: { source: [name] } })[14]
        ?.join('')
        .match(/Still without/g)?.length;
    expect([count('macs'), count('windows')]).toEqual([1, undefined]);
  });

  it('is sent no reminder where none of its devices is overdue', () => {
    expect(compose(all, { only: { site: ['Rome'] } }).flat()).toEqual([]);
  });

  it('whose message can hold less says how many are left out', () => {
    const { render } = openPlain({ type: 'teams', url: '' });
    const channel = { only: { site: ['Berlin'] }, render: (one: AlertMessage) => [JSON.stringify(render(one))] };
    const link = () => 'https://reports.example.com/report/index.html';
    const shown = compose(all, channel, { link })[1]?.[0] ?? '';
    const lines = shown.match(/"text":"mac-/g)?.length ?? 0;
    expect(lines).toBeGreaterThan(20);
    expect(shown).toContain(`and ${59 - lines} more, in the report`);
  });
});
