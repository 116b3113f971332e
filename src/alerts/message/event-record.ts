/** One event as programs read it: schema `muster.event`, version 1. docs/alerts.md documents it; it only grows. */
import type { EventDevice } from '../../core/alerts/alert-event.ts';
import { omitUndefined } from '../../omit-undefined.ts';
import type { Digest } from './digest.ts';
import { toSafeText } from './safe-text.ts';
import { type DigestEvent, determineSeverity } from './severity.ts';

export function toEventRecord(event: DigestEvent, { agent, link }: Pick<Digest, 'agent' | 'link'>) {
  const { kind, key, phase, slot, since, source, platform, device, text, figures, first } = event;
  return {
    schema: 'muster.event',
    version: 1,
    /** The same whenever the same event is sent again. */
    id: `${slot}/${kind}/${toSafeText(key, 400)}`,
    kind,
    phase,
    severity: determineSeverity(kind, phase),
    key: toSafeText(key, 400),
    slot,
    since,
    agent,
    ...omitUndefined({
      source,
      platform,
      device: device && boundDevice(device),
      text: boundText(text, 1000),
      figures,
      first: first?.map(boundDevice),
      link,
    }),
  };
}

function boundDevice(device: EventDevice): EventDevice {
  const { id, name, serialNumber, user } = device;
  return {
    ...device,
    id: toSafeText(id, 200),
    ...omitUndefined({
      name: boundText(name, 200),
      serialNumber: boundText(serialNumber, 100),
      user: boundText(user, 200),
    }),
  };
}

function boundText(text: string | undefined, maximum: number): string | undefined {
  return text === undefined ? undefined : toSafeText(text, maximum);
}
