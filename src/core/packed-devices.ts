/**
 * Devices in columns: as objects with texts of their own, a large fleet would need several times the memory. What comes
 * back are views.
 */
import { isRecord } from '../is-record.ts';
import { parseTime } from './calendar.ts';
import type { Answer, DeviceFacts } from './facts.ts';
import { decodeMilliseconds, decodeTime, encodeTime } from './packed-times.ts';
import { forbidCopying } from './views.ts';

/**
 * `text`: nearly every device has its own. `time`: a date of ISO 8601. `word`: many devices have the same. A field that
 * is missing here does not compile.
 */
const fieldTypes = {
  id: 'text',
  platform: 'word',
  name: 'text',
  serialNumber: 'text',
  user: 'text',
  osVersion: 'word',
  model: 'word',
  lastSeenAt: 'time',
  reportedAt: 'time',
  enrolledAt: 'time',
  managementState: 'word',
  managementAgent: 'word',
  ownership: 'word',
  site: 'word',
  department: 'word',
  building: 'word',
  category: 'word',
  answers: 'answers',
} as const satisfies Record<keyof DeviceFacts, 'text' | 'time' | 'word' | 'answers'>;

type Field = keyof DeviceFacts;
type StringField = Exclude<Field, 'answers'>;
type TimeField = { [Name in Field]: (typeof fieldTypes)[Name] extends 'time' ? Name : never }[Field];

const fields = Object.keys(fieldTypes) as readonly Field[];
const listFields = (type: 'text' | 'time' | 'word') =>
  fields.filter((name): name is StringField => fieldTypes[name] === type);
const textFields = listFields('text');
const timeFields: readonly StringField[] = listFields('time');
const wordFields = listFields('word');
const stringFields = [...textFields, ...timeFields, ...wordFields];

/** Nearly every device has one answer at most, whose fields follow those of the device. */
const [answerAt, answerValue, answerDetail] = [timeFields.length, wordFields.length, wordFields.length + 1];
const textColumns = textFields.length;
const timeColumns = timeFields.length + 1;
const wordColumns = wordFields.length + 2;
/** Where there are more, they are no longer what devices have in common. */
const mostWords = 65_535;

/** Some devices, row by row. */
interface Block {
  /** Of each column, the texts end to end: one with letters beyond Latin 1 takes twice the memory for all that it is joined with. */
  readonly texts: readonly string[];
  /** Where each text ends. */
  readonly ends: Uint16Array | Uint32Array;
  /** A bit for each text of a row that is not known. */
  readonly unknown: Uint8Array;
  /** By `encodeTime`; NaN where a time is not known, or among the other times. */
  readonly times: Float64Array;
  /** Dates that are written in another way, by their index in `times`. */
  readonly otherTimes: ReadonlyMap<number, string>;
  /** Their words, as indexes of the dictionary. */
  readonly words: Uint16Array;
  readonly dictionary: Dictionary;
  /** By row, where there is not one. */
  readonly answers: ReadonlyMap<number, readonly Answer[]>;
}

/** Of all blocks together; the first entry is for what is not known. */
type Dictionary = readonly (string | undefined)[];

class PackedDevice {
  readonly #block: Block;
  readonly #row: number;

  constructor(block: Block, row: number) {
    this.#block = block;
    this.#row = row;
    forbidCopying(this);
  }

  static {
    const define = (name: StringField, read: (block: Block, row: number) => string | undefined) =>
      Object.defineProperty(PackedDevice.prototype, name, {
        get(this: PackedDevice) {
          return read(this.#block, this.#row);
        },
      });
    for (const [column, name] of textFields.entries()) {
      define(name, (block, row) => sliceText(block, row, column));
    }
    for (const [column, name] of timeFields.entries()) {
      define(name, (block, row) => findTime(block, row, column));
    }
    for (const [column, name] of wordFields.entries()) {
      define(name, (block, row) => findWord(block, row, column));
    }
  }

  get answers(): readonly Answer[] {
    return buildAnswers(this.#block, this.#row);
  }

  /** In milliseconds since 1970; undefined where it is not known, or not packed. */
  readDeviceTime(column: number): number | undefined {
    const time = this.#block.times[this.#row * timeColumns + column] ?? Number.NaN;
    return Number.isNaN(time) ? undefined : decodeMilliseconds(time);
  }

  toJSON(): DeviceFacts {
    return copyFields(this as unknown as DeviceFacts);
  }
}

function sliceText({ texts, ends, unknown }: Block, row: number, column: number): string | undefined {
  if (((unknown[row] ?? 0) >> column) % 2 === 1) {
    return undefined;
  }
  const end = row * textColumns + column;
  return texts[column]?.slice(row === 0 ? 0 : ends[end - textColumns], ends[end]);
}

function findTime({ times, otherTimes }: Block, row: number, column: number): string | undefined {
  const index = row * timeColumns + column;
  const time = times[index] ?? Number.NaN;
  return Number.isNaN(time) ? otherTimes.get(index) : decodeTime(time);
}

function findWord({ words, dictionary }: Block, row: number, column: number): string | undefined {
  return dictionary[words[row * wordColumns + column] ?? 0];
}

const noAnswers: readonly Answer[] = [];

function buildAnswers(block: Block, row: number): readonly Answer[] {
  const value = findWord(block, row, answerValue);
  if (value === undefined) {
    return block.answers.get(row) ?? noAnswers;
  }
  const detail = findWord(block, row, answerDetail);
  const at = findTime(block, row, answerAt);
  return [{ value, ...(detail === undefined ? {} : { detail }), ...(at === undefined ? {} : { at }) }];
}

function copyFields(device: DeviceFacts): DeviceFacts {
  const copy: Partial<Record<Field, unknown>> = {};
  for (const name of fields) {
    const value = device[name];
    if (value !== undefined) {
      copy[name] = value;
    }
  }
  return copy as DeviceFacts;
}

/** A device's date in milliseconds since 1970: without a text of it, where it is packed. Undefined where it is not known. */
export function readDeviceTime(device: DeviceFacts, field: TimeField): number | undefined {
  const packed = device instanceof PackedDevice ? device.readDeviceTime(timeFields.indexOf(field)) : undefined;
  return packed ?? parseTime(device[field]);
}

/** Whether a stored value has the shape of a device; fields that this version does not know may be anything. */
export function isDeviceFacts(value: unknown): value is DeviceFacts {
  return (
    isRecord(value) &&
    typeof value.id === 'string' &&
    typeof value.platform === 'string' &&
    hasStrings(value, stringFields) &&
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

/** Packs some hundreds of devices at a time, each in its place. What does not fit in columns stays as it is. */
export type DevicePacker = <Device extends DeviceFacts | undefined>(devices: readonly Device[]) => readonly Device[];

export function createDevicePacker(): DevicePacker {
  const dictionary: (string | undefined)[] = [undefined];
  const indexes = new Map<string | undefined, number>([[undefined, 0]]);
  const findIndex: FindIndex = (word) => {
    const known = indexes.get(word);
    if (known !== undefined || dictionary.length > mostWords) {
      return known;
    }
    indexes.set(word, dictionary.length);
    return dictionary.push(word) - 1;
  };
  return (devices) =>
    devices.every((device) => device === undefined || device instanceof PackedDevice)
      ? devices
      : packBlock(devices, dictionary, findIndex);
}

const rowsPerBlock = 512;

/** All devices of a source. */
export function packDevices(devices: Iterable<DeviceFacts>): readonly DeviceFacts[] {
  const pack = createDevicePacker();
  const packed: DeviceFacts[] = [];
  let batch: DeviceFacts[] = [];
  for (const device of devices) {
    batch.push(device);
    if (batch.length === rowsPerBlock) {
      packed.push(...pack(batch));
      batch = [];
    }
  }
  packed.push(...pack(batch));
  return packed;
}

function packBlock<Device extends DeviceFacts | undefined>(
  devices: readonly Device[],
  dictionary: Dictionary,
  findIndex: FindIndex,
): readonly Device[] {
  const texts = Array.from({ length: textColumns }, (): string[] => []);
  const unknown = new Uint8Array(devices.length);
  const times = new Float64Array(devices.length * timeColumns).fill(Number.NaN);
  const otherTimes = new Map<number, string>();
  const words = new Uint16Array(devices.length * wordColumns);
  const answers = new Map<number, readonly Answer[]>();
  const isPacked = devices.map((device, row) => {
    const fits = device !== undefined && isPackable(device);
    const answer = fits ? findOnlyAnswer(device) : undefined;
    if (!fits || !addWords(words.subarray(row * wordColumns), device, answer, findIndex)) {
      for (const column of texts) {
        column.push('');
      }
      return false;
    }
    for (const [column, name] of textFields.entries()) {
      const text = device[name];
      unknown[row] = (unknown[row] ?? 0) | (text === undefined ? 1 << column : 0);
      texts[column]?.push(text ?? '');
    }
    for (let column = 0; column < timeColumns; column += 1) {
      const name = timeFields[column];
      const text = name === undefined ? answer?.at : device[name];
      if (text === undefined) {
        continue;
      }
      const index = row * timeColumns + column;
      const time = encodeTime(text);
      if (time === undefined) {
        otherTimes.set(index, text);
      } else {
        times[index] = time;
      }
    }
    if (answer === undefined && device.answers.length > 0) {
      answers.set(row, device.answers);
    }
    return true;
  });
  const block: Block = {
    ...{ texts: texts.map((column) => column.join('')), ends: listEnds(texts, devices.length), unknown },
    ...{ times, otherTimes, words, dictionary, answers },
  };
  return devices.map((device, row) => (isPacked[row] ? (new PackedDevice(block, row) as unknown as Device) : device));
}

type FindIndex = (word: string | undefined) => number | undefined;

/** False where there are too many words. */
function addWords(words: Uint16Array, device: DeviceFacts, answer: Answer | undefined, findIndex: FindIndex): boolean {
  for (let column = 0; column < wordColumns; column += 1) {
    const name = wordFields[column];
    const word = name === undefined ? (column === answerValue ? answer?.value : answer?.detail) : device[name];
    const index = findIndex(word);
    if (index === undefined) {
      return false;
    }
    words[column] = index;
  }
  return true;
}

function listEnds(texts: readonly (readonly string[])[], rows: number): Block['ends'] {
  const longest = Math.max(...texts.map((column) => column.reduce((length, text) => length + text.length, 0)));
  const ends = new (longest > 65_535 ? Uint32Array : Uint16Array)(rows * textColumns);
  for (const [column, known] of texts.entries()) {
    let length = 0;
    for (let row = 0; row < rows; row += 1) {
      length += known[row]?.length ?? 0;
      ends[row * textColumns + column] = length;
    }
  }
  return ends;
}

/** Not where a stored device has something that columns have no place for, nor where it is packed already. */
function isPackable(device: DeviceFacts): boolean {
  return !(device instanceof PackedDevice) && hasFieldsOnly(device, fieldNames);
}

function findOnlyAnswer({ answers }: DeviceFacts): Answer | undefined {
  const [first] = answers;
  return answers.length === 1 && first !== undefined && hasFieldsOnly(first, answerFieldNames) ? first : undefined;
}

const fieldNames: ReadonlySet<string> = new Set(fields);
const answerFields = { value: true, detail: true, at: true } as const satisfies Record<keyof Answer, true>;
const answerFieldNames: ReadonlySet<string> = new Set(Object.keys(answerFields));

function hasFieldsOnly(value: object, known: ReadonlySet<string>): boolean {
  const values = value as Readonly<Record<string, unknown>>;
  for (const name of Object.keys(value)) {
    const field = values[name];
    const isString = typeof field === 'string' && known.has(name);
    if (!isString && name !== 'answers' && field !== undefined) {
      return false;
    }
  }
  return true;
}
