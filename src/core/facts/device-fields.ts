/** Devices as they are read: words that many of them share, and what a stored device must look like. */
import { isRecord } from '../../base/is-record.ts';
import { devicePlaces } from './device-places.ts';
import type { Answer, DeviceFacts } from './facts.ts';

/** Texts that many devices have in common. */
const wordFields = [
  'operatingSystem',
  'osVersion',
  'model',
  'managementState',
  'managementAgent',
  'clientAppsWorkload',
  'ownership',
  ...devicePlaces,
] as const;

const ownFields = ['id', 'name', 'serialNumber', 'user', 'lastSeenAt', 'reportedAt', 'enrolledAt'];
const textFields = [...wordFields, ...ownFields];

/** Above it, they are not what devices have in common. */
const mostShared = 20_000;

/** Values with equal keys are one value from then on: kept for each device, they would be most of a large fleet's memory. */
export function createInterner<Value>(toKey: (value: Value) => string = JSON.stringify): (value: Value) => Value {
  const known = new Map<string, Value>();
  return (value) => {
    const key = toKey(value);
    const same = known.get(key);
    if (same === undefined && known.size < mostShared) {
      known.set(key, value);
    }
    return same ?? value;
  };
}

/**
 * Devices that share their words: a parser makes a text of its own for each, which would be a third of a fleet's memory.
 */
export function createDeviceInterner(): (device: DeviceFacts) => DeviceFacts {
  const share = createInterner<string>((word) => word);
  return (device) => {
    const copy: { -readonly [Name in keyof DeviceFacts]: DeviceFacts[Name] } = { ...device };
    for (const name of wordFields) {
      const word = copy[name];
      if (word !== undefined) {
        copy[name] = share(word);
      }
    }
    copy.answers = device.answers.map((answer) => shareAnswer(answer, device, share));
    return copy;
  };
}

/** A Mac's answer has the date of its report. */
function shareAnswer(answer: Answer, { reportedAt }: DeviceFacts, share: (word: string) => string): Answer {
  return {
    ...answer,
    value: share(answer.value),
    ...(answer.detail !== undefined && { detail: share(answer.detail) }),
    ...(answer.app !== undefined && { app: share(answer.app) }),
    ...(answer.at !== undefined && answer.at === reportedAt && { at: reportedAt }),
  };
}

/** Whether a stored value has the shape of a device; fields that this version does not know may be anything. */
export function isDeviceFacts(value: unknown): value is DeviceFacts {
  return (
    isRecord(value) &&
    typeof value.id === 'string' &&
    typeof value.operatingSystem === 'string' &&
    hasStrings(value, textFields) &&
    Array.isArray(value.answers) &&
    value.answers.every(isAnswer)
  );
}

function isAnswer(value: unknown): value is Answer {
  return isRecord(value) && typeof value.value === 'string' && hasStrings(value, ['detail', 'at', 'app']);
}

function hasStrings(value: Readonly<Record<string, unknown>>, names: readonly string[]): boolean {
  return names.every((name) => value[name] === undefined || typeof value[name] === 'string');
}
