/** The fields of a device as data: which of them many devices share, and what a stored device must look like. */
import { isRecord } from '../../base/is-record.ts';
import type { Answer, DeviceFacts } from './facts.ts';
import { createSharing } from './share-equal.ts';

/**
 * `word`: many devices have the same one. `text`: nearly every device has its own. A field that is missing here does not
 * compile.
 */
const fieldTypes = {
  id: 'text',
  operatingSystem: 'word',
  name: 'text',
  serialNumber: 'text',
  user: 'text',
  osVersion: 'word',
  model: 'word',
  lastSeenAt: 'text',
  reportedAt: 'text',
  enrolledAt: 'text',
  managementState: 'word',
  managementAgent: 'word',
  clientAppsWorkload: 'word',
  ownership: 'word',
  site: 'word',
  department: 'word',
  building: 'word',
  category: 'word',
} as const satisfies Record<Field, 'text' | 'word'>;

type Field = Exclude<keyof DeviceFacts, 'answers'>;
type WordField = { [Name in Field]: (typeof fieldTypes)[Name] extends 'word' ? Name : never }[Field];

const fields = Object.keys(fieldTypes) as readonly Field[];
const wordFields = fields.filter((name): name is WordField => fieldTypes[name] === 'word');

/**
 * Devices that share their words: a parser makes a text of its own for each, which would be a third of a fleet's memory.
 */
export function createWordSharing(): (device: DeviceFacts) => DeviceFacts {
  const share = createSharing<string>((word) => word);
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
    ...(answer.at !== undefined && answer.at === reportedAt && { at: reportedAt }),
  };
}

/** Whether a stored value has the shape of a device; fields that this version does not know may be anything. */
export function isDeviceFacts(value: unknown): value is DeviceFacts {
  return (
    isRecord(value) &&
    typeof value.id === 'string' &&
    typeof value.operatingSystem === 'string' &&
    hasStrings(value, fields) &&
    Array.isArray(value.answers) &&
    value.answers.every(isAnswer)
  );
}

function isAnswer(value: unknown): value is Answer {
  return isRecord(value) && typeof value.value === 'string' && hasStrings(value, ['detail', 'at']);
}

function hasStrings(value: Readonly<Record<string, unknown>>, names: readonly string[]): boolean {
  return names.every((name) => value[name] === undefined || typeof value[name] === 'string');
}
