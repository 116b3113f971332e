/**
 * A state as files: a small head, and for each source one file of lines, a device each. So no text is as long as a
 * state, and whoever needs only the head reads only the head.
 */

import { isRecord } from '../../base/is-record.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { createSharing, createWordSharing, isDeviceFacts } from '../../core/facts/device-fields.ts';
import type { Status } from '../../core/facts/facts.ts';
import {
  type Baseline,
  type BaselineDevice,
  type BaselineFields,
  type DepartedDevice,
  type ProvisionalHistory,
  type SourceState,
  type State,
  selectBaselineFields,
  type Transition,
} from '../../core/facts/state.ts';
import { statuses } from '../../core/facts/vocabulary.ts';
import { createDamageError } from '../stored-json.ts';

/** A state without its devices. */
export type StateHead = Omit<State, 'sources'> & { readonly sources: readonly SourceHead[] };

type SourceHead = Omit<SourceState, 'baseline' | 'departed' | 'provisional'> & {
  readonly baseline?: Omit<Baseline, 'devices'>;
  readonly provisional: Omit<ProvisionalHistory, 'devices'>;
};

/** The head of a run's own state, and of the one that it was compared with; its lines lie in the folder beside it. */
export const stateFiles = {
  next: { head: 'state.json.gz', folder: 'state/' },
  previous: { head: 'facts/before.json.gz', folder: 'facts/before/' },
} as const;

export type StateFiles = (typeof stateFiles)[keyof typeof stateFiles];

export function nameSourceLines({ folder }: StateFiles, source: string): string {
  return `${folder}${source}.ndjson.gz`;
}

export function toStateHead({ sources, ...state }: State): StateHead {
  return {
    ...state,
    sources: sources.map(({ baseline, departed: _, provisional: { nights }, ...rest }) => ({
      ...rest,
      provisional: { nights },
      ...omitUndefined({ baseline: baseline && omitDevices(baseline) }),
    })),
  };
}

function omitDevices({ devices: _, ...head }: Baseline): Omit<Baseline, 'devices'> {
  return head;
}

type ProvisionalDevice = ProvisionalHistory['devices'][number];

/** A line says by its fields what it is: a device of the baseline, one that departed, or what bad nights have shown of one. */
type StateLine = BaselineDevice | DepartedDevice | ProvisionalDevice;

export function* listStateLines({ baseline, departed, provisional }: SourceState): Generator<StateLine> {
  yield* baseline?.devices ?? [];
  yield* departed;
  yield* provisional.devices;
}

/** The state of one source from its head and its lines. What devices have in common is kept once. */
export async function joinStateLines(
  { baseline, provisional, ...head }: SourceHead,
  batches: AsyncIterable<readonly unknown[]>,
  where: string,
): Promise<SourceState> {
  const devices: BaselineDevice[] = [];
  const departed: DepartedDevice[] = [];
  const shown: ProvisionalDevice[] = [];
  const shareWords = createWordSharing();
  const shareTransitions = createSharing<readonly Transition[]>();
  const shareFields = createSharing<BaselineFields>();
  for await (const lines of batches) {
    for (const line of lines) {
      if (isBaselineDevice(line)) {
        const facts = shareWords(line.facts);
        const transitions = shareTransitions(line.transitions);
        if ('leftOn' in line) {
          departed.push({ ...line, facts, transitions });
        } else {
          devices.push({ facts, ...shareFields(selectBaselineFields({ ...line, transitions })) });
        }
      } else if (isProvisionalDevice(line)) {
        shown.push(line);
      } else {
        throw createDamageError(where, 'it has not the shape of a state');
      }
    }
  }
  return {
    ...head,
    ...omitUndefined({ baseline: baseline && { ...baseline, devices } }),
    departed,
    provisional: { ...provisional, devices: shown },
  };
}

export function isBaselineDevice(line: unknown): line is BaselineDevice | DepartedDevice {
  return (
    isRecord(line) &&
    isDeviceFacts(line.facts) &&
    isStatus(line.status) &&
    typeof line.reason === 'string' &&
    typeof line.counted === 'boolean' &&
    ['proven', 'stale'].every((name) => ['boolean', 'undefined'].includes(typeof line[name])) &&
    ['excludedBecause', 'notInstalledSince', 'answeredOn', 'leftOn'].every((name) =>
      ['string', 'undefined'].includes(typeof line[name]),
    ) &&
    (line.movedFrom === undefined || hasList(line.movedFrom, isMovedFrom)) &&
    (line.past === undefined || hasList(line.past, isPastStanding)) &&
    hasList(
      line.transitions,
      ({ slot, from, to }) => typeof slot === 'string' && (from === undefined || isStatus(from)) && isStatus(to),
    )
  );
}

function isStatus(value: unknown): value is Status {
  return typeof value === 'string' && Object.hasOwn(statuses, value);
}

function isMovedFrom({ source, id, on }: Readonly<Record<string, unknown>>): boolean {
  return [source, id, on].every((text) => typeof text === 'string');
}

function isPastStanding({ slot, was, moved }: Readonly<Record<string, unknown>>): boolean {
  return [slot, was].every((text) => typeof text === 'string') && ['boolean', 'undefined'].includes(typeof moved);
}

function hasList(value: unknown, test: (entry: Readonly<Record<string, unknown>>) => boolean): boolean {
  return Array.isArray(value) && value.every((entry) => isRecord(entry) && test(entry));
}

function isProvisionalDevice(line: unknown): line is ProvisionalDevice {
  return isRecord(line) && typeof line.id === 'string' && typeof line.shown === 'string';
}
