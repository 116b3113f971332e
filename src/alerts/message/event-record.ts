/** One event for programs: schema `muster.event`, version 1. docs/events.md documents it; fields may only be added. */

import { omitUndefined } from '../../base/omit-undefined.ts';
import type { ListedDevice } from '../../core/facts/alert-event.ts';
import { devicePlaces } from '../../core/facts/device-places.ts';
import type { Digest } from './digest.ts';
import { type DigestEvent, determineSeverity } from './digest-event.ts';
import { toSafeText } from './safe-text.ts';

/** Longest texts, in characters. */
export const recordLimits = {
  key: 400,
  text: 1000,
  id: 200,
  name: 200,
  serialNumber: 100,
  user: 200,
  value: 100,
  place: 100,
} as const;

export function toEventRecord(event: DigestEvent, { agent, link, commit }: Pick<Digest, 'agent' | 'link' | 'commit'>) {
  const { kind, key, phase, slot, since, source, platform, device, text, figures, first } = event;
  return {
    schema: 'muster.event',
    version: 1,
    /** Id that stays the same whenever this event is sent again, and differs in another run of the slot. */
    id: `${slot}/${commit}/${kind}/${phase}/${toSafeText(key, recordLimits.key)}`,
    kind,
    phase,
    severity: determineSeverity(kind, phase),
    key: toSafeText(key, recordLimits.key),
    slot,
    since,
    agent,
    ...omitUndefined({
      source,
      platform,
      device: device && boundDevice(device),
      text: limitText(text, recordLimits.text),
      figures,
      first: first?.map(boundDevice),
      link,
    }),
  };
}

const deviceTexts = ['id', 'name', 'serialNumber', 'user', 'value'] as const;

function boundDevice(device: ListedDevice): ListedDevice {
  const bounded = [
    ...deviceTexts.map((field) => [field, limitText(device[field], recordLimits[field])]),
    ...devicePlaces.map((place) => [place, limitText(device[place], recordLimits.place)]),
  ];
  const { by = '', until = '', ticket = '' } = device.acknowledged ?? {};
  const acknowledged = device.acknowledged && {
    by: toSafeText(by, recordLimits.place),
    until,
    ticket: ticket === '' ? '' : toSafeText(ticket, recordLimits.place),
  };
  return { ...device, ...omitUndefined({ ...Object.fromEntries(bounded), acknowledged }) };
}

function limitText(text: string | undefined, maximum: number): string | undefined {
  return text === undefined ? undefined : toSafeText(text, maximum);
}
