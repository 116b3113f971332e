/** What a retraction resolves, and what it lets open again. */
import { describe, expect, it } from 'vitest';
import { decideRetraction } from '../../src/core/alerts/retraction-alerts.ts';
import type { AlertEvent } from '../../src/core/facts/alert-event.ts';
import { openAlert as lost, slot } from './world.ts';

describe('a retraction', () => {
  const event = (key: string, phase: AlertEvent['phase'], text: string): AlertEvent => ({
    kind: 'device.lost',
    key,
    phase,
    slot: slot(2),
    since: slot(2),
    text,
    source: 'macs',
  });
  const decided = (events: readonly AlertEvent[]) =>
    decideRetraction({
      slot: slot(2),
      by: 'ada',
      why: 'wrong clock',
      events,
      before: [lost('device:kept', 1), lost('device:ended', 1), lost('device:silent', 1, 1, { kind: 'baseline' })],
      after: [lost('device:kept', 1), lost('device:new', 2), lost('device:silent2', 2, 2, { kind: 'baseline' })],
    });

  it('resolves what only the run opened, with what it said of it, and lets what it ended open again', () => {
    const { events, resolved } = decided([event('device:new', 'first', 'a'), event('device:kept', 'again', 'b')]);
    expect(events.map(({ key, phase, source: name }) => [key, phase, name])).toEqual([
      [`retraction:${slot(2)}`, 'over', undefined],
      ['device:new', 'over', 'macs'],
    ]);
    expect(events[1]).toMatchObject({
      text: `Only the run of ${slot(2)} opened this, and it was retracted.`,
      sentAs: [{ kind: 'device.lost' }],
    });
    expect(resolved).toEqual(['device:ended']);
  });

  it('says it without details where the run’s events cannot be read, or only its end is known', () => {
    for (const events of [[], [event('device:new', 'over', 'a')]]) {
      const [, second] = decided(events).events;
      expect(second).toEqual({
        kind: 'device.lost',
        key: 'device:new',
        since: slot(2),
        slot: slot(2),
        phase: 'over',
        text: `Only the run of ${slot(2)} opened this, and it was retracted.`,
        sentAs: [{ kind: 'device.lost' }],
      });
    }
  });
});
