/** What the function may be started with, and what it says of everything else. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MusterError } from '../../src/base/errors.ts';
import { parseRunRequest } from '../../src/lambda/run-request.ts';
import { resolveScheduledSlot } from '../../src/settings/schedule/schedule.ts';

test.each([
  [{}, { action: 'night', dryRun: false }],
  [
    { scheduledTime: '2026-11-20T05:15:00Z' },
    { action: 'night', dryRun: false, scheduledTime: new Date('2026-11-20T05:15:00Z') },
  ],
  [{ slot: '2026-11-20' }, { action: 'night', dryRun: false, slot: '2026-11-20' }],
  [
    { slot: '2026-11-20', dryRun: true },
    { action: 'night', dryRun: true, slot: '2026-11-20' },
  ],
  [{ dryRun: true }, { action: 'night', dryRun: true }],
  [{ accept: '2026-11-20' }, { action: 'accept', slot: '2026-11-20' }],
  [
    { retract: '2026-11-20', why: ' the clock was wrong\n' },
    { action: 'retract', slot: '2026-11-20', why: 'the clock was wrong' },
  ],
  [
    { retract: '2026-11-20', why: 'x'.repeat(500) },
    { action: 'retract', slot: '2026-11-20', why: 'x'.repeat(500) },
  ],
  [{ prune: true }, { action: 'prune' }],
  [
    { prune: true, settings: 'settings/tenants/acme.yaml' },
    { action: 'prune', tenant: 'acme' },
  ],
  [{ verify: true }, { action: 'verify' }],
  [{ verify: '2026-11-20' }, { action: 'verify', slot: '2026-11-20' }],
  [
    { scheduledTime: '2026-11-20T05:15:00Z', settings: 'settings/tenants/acme.yaml' },
    { action: 'night', dryRun: false, scheduledTime: new Date('2026-11-20T05:15:00Z'), tenant: 'acme' },
  ],
  [
    { verify: true, settings: 'settings/tenants/acme-two.yaml' },
    { action: 'verify', tenant: 'acme-two' },
  ],
])('%j is understood', (event, wish) => {
  expect(parseRunRequest(event)).toEqual(wish);
});

test.each([
  [null, 'not a JSON object'],
  [[], 'not a JSON object'],
  ['2026-11-20', 'not a JSON object'],
  [undefined, 'not a JSON object'],
  [{ slto: '2026-11-20' }, 'it has "slto"'],
  [{ slot: '2026-11-31' }, 'slot is "2026-11-31"'],
  [{ slot: '20.11.2026' }, 'must be a date'],
  [{ slot: 20261120 }, 'slot is 20261120'],
  [{ slot: null }, 'slot is null'],
  [{ accept: true }, 'accept is true'],
  [{ scheduledTime: '2026-11-20' }, 'must be a moment'],
  [{ scheduledTime: '2026-11-20T25:00:00Z' }, 'must be a moment'],
  [{ scheduledTime: 1_795_000_000 }, 'must be a moment'],
  [{ scheduledTime: '<aws.scheduler.scheduled-time>' }, 'only EventBridge Scheduler replaces'],
  [{ slot: '2026-11-20', accept: '2026-11-20' }, 'slot and accept'],
  [{ slot: '2026-11-20', scheduledTime: '2026-11-20T05:15:00Z' }, 'scheduledTime and slot'],
  [{ accept: '2026-11-20', dryRun: true }, 'accept always writes'],
  [{ retract: '2026-11-20' }, 'why is nothing; retract needs the reason'],
  [{ retract: '2026-11-20', why: ' \n' }, 'why is text of 0 characters'],
  [{ retract: '2026-11-20', why: 'x'.repeat(501) }, 'why is text of 501 characters'],
  [{ retract: '2026-11-20', why: ['a'] }, 'why is ["a"]'],
  [{ retract: true, why: 'a' }, 'retract is true'],
  [{ retract: '2026-11-20', why: 'a', dryRun: true }, 'retract always writes'],
  [{ retract: '2026-11-20', why: 'a', accept: '2026-11-20' }, 'accept and retract'],
  [{ retract: '2026-11-20', why: 'a', by: 'ada' }, 'it has "by"'],
  [{ why: 'a' }, 'why, which belongs to retract'],
  [{ accept: '2026-11-20', why: 'a' }, 'why, which belongs to retract'],
  [{ prune: false }, 'prune is false; it must be true'],
  [{ prune: '2026-11-20' }, 'prune is "2026-11-20"'],
  [{ prune: true, dryRun: false }, 'prune always writes'],
  [{ prune: true, slot: '2026-11-20' }, 'slot and prune'],
  [{ prune: true, confirm: true }, 'it has "confirm"'],
  [{ dryRun: 'yes' }, 'dryRun is "yes"'],
  [{ verify: false }, 'verify is false'],
  [{ verify: true, slot: '2026-11-20' }, 'slot and verify'],
  [{ verify: true, dryRun: true }, 'verify never writes'],
  ...[
    ...['s3://elsewhere/settings/tenants/acme.yaml', 'settings/muster.yaml', 'settings/tenants/../muster.yaml'],
    ...['settings/tenants/a/../acme.yaml', 'settings/tenants/acme/exemptions.csv', 'settings/tenants/acme.yaml/'],
    ...['settings/tenants/', 'settings/tenants/.yaml', 'settings/tenants/ACME.yaml', 'settings/tenants/a%2f.yaml'],
    ...['/settings/tenants/acme.yaml', 'settings/tenants/acme.yaml\n', `settings/tenants/${'a'.repeat(41)}.yaml`],
  ].map((settings): [object, string] => [{ settings }, `settings is ${JSON.stringify(settings).slice(0, 40)}`]),
  [{ settings: null }, 'settings is null'],
  [{ settings: ['settings/tenants/acme.yaml'] }, 'settings is ['],
])('%j is refused, and why', (event, why) => {
  expect(() => parseRunRequest(event)).toThrow(
    expect.objectContaining({ code: 'event-invalid', message: expect.stringContaining(why) }),
  );
});

test('whatever comes is understood or refused by name, in a short sentence', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.anything(),
        fc.object({ key: fc.constantFrom('slot', 'accept', 'retract', 'why', 'prune', 'dryRun', 'x') }),
      ),
      (event) => {
        try {
          expect(['night', 'accept', 'retract', 'prune', 'verify']).toContain(parseRunRequest(event).action);
        } catch (error) {
          expect(error).toBeInstanceOf(MusterError);
          expect(String(error).length).toBeLessThan(1_500);
        }
      },
    ),
  );
});

test.each([
  ['2026-11-20T05:15:00Z', 'UTC', '2026-11-20'],
  ['2026-11-20T20:15:00Z', 'Asia/Tokyo', '2026-11-21'],
  ['2026-11-20T10:15:00Z', 'America/New_York', '2026-11-20'],
])('a night scheduled for %s in %s is that of %s, and that is its moment', (time, timezone, slot) => {
  const moment = new Date(time);
  const late = new Date(moment.getTime() + 6 * 60 * 60 * 1000);
  expect(resolveScheduledSlot({ cron: '15 5 * * *', timezone }, moment, late)).toEqual({ slot, moment });
});

test('a night that has not come yet is refused, but clocks may differ a little', () => {
  const schedule = { cron: '15 5 * * *', timezone: 'UTC' };
  const moment = new Date('2026-11-20T05:15:00Z');
  const before = (minutes: number) => new Date(moment.getTime() - minutes * 60_000);
  expect(resolveScheduledSlot(schedule, moment, before(4)).slot).toBe('2026-11-20');
  expect(() => resolveScheduledSlot(schedule, moment, before(6))).toThrow(
    expect.objectContaining({ code: 'slot-refused' }),
  );
});
