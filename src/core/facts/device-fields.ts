/** Shared words of devices in memory, and the validation of stored devices. */
import { isRecord } from '../../base/is-record.ts';
import { devicePlaces } from './device-places.ts';
import type { Answer, DeviceFacts } from './facts.ts';

/** Text fields whose values many devices share. */
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

/** Values to remember at most: a fleet with more of them shares too few to save memory. */
const mostShared = 20_000;

/** Returns one object for values with equal keys: a copy for each device would be most of a large fleet's memory. */
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

/** Copies a device with interned words: a parser makes a new string for each, which would be a third of a fleet's memory. */
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

/** Shares the device's `reportedAt` with an answer of the same date, as every Mac's answer has. */
function shareAnswer(answer: Answer, { reportedAt }: DeviceFacts, share: (word: string) => string): Answer {
  return {
    ...answer,
    value: share(answer.value),
    ...(answer.detail !== undefined && { detail: share(answer.detail) }),
    ...(answer.app !== undefined && { app: share(answer.app) }),
    ...(answer.at !== undefined && answer.at === reportedAt && { at: reportedAt }),
  };
}

/** Checks the shape of a stored device; fields that this version does not know may be anything. */
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
