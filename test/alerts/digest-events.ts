/** Events as a digest has them. */
import type { DigestEvent } from '../../src/alerts/message/digest-event.ts';
import type { EventDevice } from '../../src/core/facts/alert-event.ts';

export const device: EventDevice = { id: '7', status: 'Not Installed', reason: 'reported' };
export const makeEvent = (changes: Partial<DigestEvent> = {}): DigestEvent => ({
  kind: 'device.lost',
  key: 'k',
  phase: 'first',
  slot: '2026-06-02',
  since: '2026-06-01',
  opened: 1,
  ...changes,
});
export const makeDeviceEvent = (changes: Partial<EventDevice>, more: Partial<DigestEvent> = {}) =>
  makeEvent({ device: { ...device, ...changes }, ...more });
