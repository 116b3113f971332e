/** What is left of a hostile or endless text, and how a digest is cut to a limit. */

import { describe, expect, it } from 'vitest';
import { measureScope } from '../../src/alerts/message/channel-scope.ts';
import { buildRunMessage, type Digest, shortenDigest } from '../../src/alerts/message/digest.ts';
import type { EventSelection } from '../../src/alerts/message/digest-event.ts';
import { countBytes, fitDigest, renderPlainText } from '../../src/alerts/message/plain-text.ts';
import { toSafeText } from '../../src/alerts/message/safe-text.ts';
import { hostileNames } from '../reports/names.ts';
import { buildExampleMessage, busyNight } from './example-messages.ts';

describe('a text', () => {
  it.each(hostileNames)('%j becomes one line of whole, visible characters', (name) => {
    const text = toSafeText(name, 60);
    expect(text.length).toBeLessThanOrEqual(60);
    expect(text.length).toBeGreaterThan(0);
    expect(text.isWellFormed()).toBe(true);
    expect(text).not.toMatch(/[\p{Cc}\u2028\u2029\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u);
    expect(text).not.toMatch(/:\/\//);
    expect(text).toBe(text.trim());
  });
  it.each([59, 60, 61])('of %i letters is cut above 60', (length) => {
    const text = toSafeText('x'.repeat(length), 60);
    expect(text).toBe(length <= 60 ? 'x'.repeat(length) : `${'x'.repeat(59)}…`);
  });
  it('is cut between characters, never within one [L4]', () => {
    expect(toSafeText('👨‍👩‍👧‍👦'.repeat(9), 24)).toBe('👨‍👩‍👧‍👦👨‍👩‍👧‍👦…');
    expect(toSafeText('e\u0301'.repeat(40), 10)).toBe(`${'e\u0301'.repeat(4)}…`);
  });
  it.each([
    ['evil.example/login', 'evil[.]example/login'],
    ['evil.example:8080/login', 'evil[.]example:8080/login'],
    ['mailto:ada@evil.example', 'mailto[:]ada@evil.example'],
    ['JavaScript:alert(1)', 'JavaScript[:]alert(1)'],
    ['\\\\host\\share', '[\\]\\host\\share'],
    ['www.evil.example', 'www[.]evil.example'],
  ])('%s reads as no link', (name, shown) => {
    expect(toSafeText(name, 60)).toBe(shown);
  });
  it.each(['\u3164', '\u2800\u2800', '\u200d', '\u200c \u200d', '\u115f\uffa0'])(
    '%j shows nothing, so it says so',
    (name) => {
      expect(toSafeText(name, 60)).toBe('(no text)');
    },
  );
  it('keeps what is harmless', () => {
    expect(toSafeText('Ada’s MacBook (שלום), 東京 👩‍💻', 60)).toBe('Ada’s MacBook (שלום), 東京 👩‍💻');
  });
});

const digest = (lines: readonly string[]): Digest => ({
  about: 'night',
  agent: 'Agent',
  slot: '2026-06-01',
  commit: 1,
  title: 'Lost the agent',
  further: 0,
  kinds: ['device.lost'],
  severity: 'warning',
  sections: [{ title: 'Lost the agent', ask: 'Put it back.', count: lines.length, lines, more: 0 }],
});

describe('a digest', () => {
  const full = digest(Array.from({ length: 20 }, (_, index) => `${'🦊'.repeat(40)} ${index}`));
  const size = countBytes(renderPlainText(full));
  it.each([
    ['one byte above it', size + 1, 0],
    ['exactly it', size, 0],
    ['one byte below it', size - 1, 1],
  ])('with a limit %s is cut by whole lines, and says by how many', (_, limit, left) => {
    const text = fitDigest(full, renderPlainText, (payload) => countBytes(payload) <= limit);
    expect(countBytes(text)).toBeLessThanOrEqual(limit);
    expect(text.match(/🦊 \d+/g)).toHaveLength(20 - left);
    expect(text.includes('and 1 more, in the report')).toBe(left === 1);
  });
  it('of which nothing fits is its title, and says how much is missing', () => {
    const text = fitDigest(full, renderPlainText, (payload) => countBytes(payload) <= 90);
    expect(text).toContain('Lost the agent');
    expect(text).toContain('1 more of these lists');
  });
  it('of which no line fits has as many of its lists as do, and says how many more there are', () => {
    const titles = ['1', '2', '3'].map((name) => `${'🦊'.repeat(40)} ${name}`);
    const three = {
      ...digest([]),
      sections: titles.flatMap((title) => digest([]).sections.map((one) => ({ ...one, title }))),
    };
    const two = renderPlainText(shortenDigest(three, 0, 2));
    expect(two).toContain('\n1 more of these lists is in the report.\n');
    expect(fitDigest(three, renderPlainText, (payload) => countBytes(payload) <= countBytes(two))).toBe(two);
  });
  it('says what changed first, and what each part asks of a person', () => {
    const text = renderPlainText(buildExampleMessage(busyNight()).digest);
    const titles = [
      'Coverage is incomplete or unverified',
      'A channel does not accept messages',
      'Lost the agent',
      'New without the agent',
      'Still without the agent – 1 device',
      'No longer listed, without the agent',
      'The deployment needs attention',
      'First run – macs-2: counted 1',
      'Got the agent',
    ];
    const places = titles.map((title) => text.indexOf(`\n\n${title}`));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    // docs/examples/alerts.md holds whole messages, letter for letter.
    expect(text).toContain(`
Lost the agent
Ask why it went, and install it again.
  - mac-1 (C02FX1), user-1@example.com, macs: reported as Not Installed, since at least 2026-06-04, last seen 2026-06-04, proven
    https://reports.example.com/report/date=2026-06-04/index.html#device=macs/1
`);
  });
});

describe('why the coverage moved', () => {
  const figuresOf = (coverage: number, only?: EventSelection) => {
    const shares = [{ kind: 'lost', devices: 2, coverage, low: coverage, high: coverage }] as const;
    const difference = { from: '2026-05-31', to: '2026-06-01', coverage, low: coverage, high: coverage, shares };
    const night = busyNight();
    return buildRunMessage({ ...night, commit: 1, ...measureScope(night, only), difference }, [], { only }).digest
      .figures;
  };

  it.each([-0.1, 0.1, -12.5])('is said of %d points', (points) => {
    expect(figuresOf(points)).toMatch(/ (Up|Down) [\d.]+ points since 2026-05-31: .*lost the agent \(2 devices\)\.$/);
  });
  it('is not said of less than 0.1 points, nor to a channel that hears of some places', () => {
    expect(figuresOf(-0.09)).not.toContain('since 2026-05-31');
    expect(figuresOf(-12.5, { site: ['Berlin'] })).not.toContain('since 2026-05-31');
  });
});
