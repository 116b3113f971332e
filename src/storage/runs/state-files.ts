/**
 * A state as files: a small head, and for each source one file of lines, a device each. So no text is as long as a
 * state, and whoever needs only the head reads only the head.
 */
import { shareTexts } from '../../core/share-texts.ts';
import type {
  Baseline,
  BaselineDevice,
  DepartedDevice,
  ProvisionalHistory,
  SourceState,
  State,
} from '../../core/state.ts';
import { isRecord } from '../../is-record.ts';

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
    sources: sources.map(({ baseline, departed: _, provisional: { nights }, ...rest }) => {
      const source = { ...rest, provisional: { nights } };
      if (baseline === undefined) {
        return source;
      }
      const { devices: __, ...head } = baseline;
      return { ...source, baseline: head };
    }),
  };
}

type ProvisionalDevice = ProvisionalHistory['devices'][number];

/** A line says by its fields what it is: a device of the baseline, one that departed, or what bad nights have shown of one. */
type StateLine = BaselineDevice | DepartedDevice | ProvisionalDevice;

export function* listStateLines({ baseline, departed, provisional }: SourceState): Generator<StateLine> {
  yield* baseline?.devices ?? [];
  yield* departed;
  yield* provisional.devices;
}

/** Undefined where a line is none of a state's. */
export function joinSourceState(
  { baseline, provisional, ...head }: SourceHead,
  lines: readonly unknown[],
): SourceState | undefined {
  const devices: BaselineDevice[] = [];
  const departed: DepartedDevice[] = [];
  const shown: ProvisionalDevice[] = [];
  for (const line of lines) {
    if (isDepartedDevice(line)) {
      departed.push(line);
    } else if (isBaselineDevice(line)) {
      devices.push(line);
    } else if (isProvisionalDevice(line)) {
      shown.push(line);
    } else {
      return undefined;
    }
  }
  shareTexts([...devices, ...departed].map(({ facts }) => facts));
  return {
    ...head,
    ...(baseline === undefined ? {} : { baseline: { ...baseline, devices } }),
    departed,
    provisional: { ...provisional, devices: shown },
  };
}

function isBaselineDevice(line: unknown): line is BaselineDevice {
  return isRecord(line) && isRecord(line.facts);
}

function isDepartedDevice(line: unknown): line is DepartedDevice {
  return isBaselineDevice(line) && 'leftOn' in line;
}

function isProvisionalDevice(line: unknown): line is ProvisionalDevice {
  return isRecord(line) && typeof line.id === 'string' && typeof line.shown === 'string';
}
