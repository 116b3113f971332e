/** One event as programs read it: schema `muster.event`, version 1. docs/alerts.md documents it; it only grows. */
import type { EventDevice } from '../../core/alerts/event.ts';
import type { Digest } from './digest.ts';
import { plain } from './safe-text.ts';
import { type NewsEvent, severityOf } from './severity.ts';

export function recordOf(event: NewsEvent, { agent, link }: Pick<Digest, 'agent' | 'link'>) {
  const { kind, key, phase, slot, since, source, platform, device, text, figures, first } = event;
  return {
    schema: 'muster.event',
    version: 1,
    /** The same whenever the same event is sent again. */
    id: `${slot}/${kind}/${plain(key, 400)}`,
    ...{ kind, phase, severity: severityOf(kind, phase), key: plain(key, 400), slot, since, agent },
    ...(source === undefined ? {} : { source }),
    ...(platform === undefined ? {} : { platform }),
    ...(device === undefined ? {} : { device: bounded(device) }),
    ...(text === undefined ? {} : { text: plain(text, 1000) }),
    ...(figures === undefined ? {} : { figures }),
    ...(first === undefined ? {} : { first: first.map(bounded) }),
    ...(link === undefined ? {} : { link }),
  };
}

function bounded(device: EventDevice): EventDevice {
  const { id, name, serialNumber, user } = device;
  return {
    ...device,
    id: plain(id, 200),
    ...(name === undefined ? {} : { name: plain(name, 200) }),
    ...(serialNumber === undefined ? {} : { serialNumber: plain(serialNumber, 100) }),
    ...(user === undefined ? {} : { user: plain(user, 200) }),
  };
}
