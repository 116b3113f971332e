/** The number and its interval. Counting is exact; percentages are made from whole numbers, never from floats. */
import { type Coverage, soundnesses } from './figures.ts';
import type { Change, JudgedDevice, JudgedSource } from './judged.ts';

/** `changes` are those of all sources: a device can move from one to another. */
export function coverageOf(
  source: Pick<JudgedSource, 'name' | 'platform' | 'soundness'>,
  devices: readonly JudgedDevice[],
  changes: readonly Change[],
): Coverage {
  const counted = devices.filter((device) => device.counted);
  const installed = counted.filter((device) => device.status === 'Installed');
  const notInstalled = counted.filter((device) => device.status === 'Not Installed');
  const flow = flowOf(source.name, changes);
  return {
    source: source.name,
    platform: source.platform,
    soundness: source.soundness,
    devices: devices.length,
    counted: counted.length,
    excluded: devices.length - counted.length,
    exempt: devices.filter((device) => device.excludedBecause === 'exempt').length,
    stale: counted.filter((device) => device.stale).length,
    installed: installed.length,
    notInstalled: notInstalled.length,
    provenInstalled: installed.filter((device) => device.proven).length,
    provenNotInstalled: notInstalled.filter((device) => device.proven).length,
    ...flow,
  };
}

function flowOf(source: string, changes: readonly Change[]): Pick<Coverage, 'lost' | 'recovered' | 'joined' | 'left'> {
  const flow = { lost: 0, recovered: 0, joined: 0, left: 0 };
  for (const change of changes) {
    if (change.kind === 'moved' && change.movedFrom) {
      const { source: from, wasAway } = change.movedFrom;
      if (change.source === source && (wasAway || from !== source)) flow.joined += 1;
      if (change.source !== source && from === source && !wasAway) flow.left += 1;
    }
    if (change.source !== source) continue;
    if (change.kind === 'lost' || change.kind === 'recovered') flow[change.kind] += 1;
    if (joins.has(change.kind)) flow.joined += 1;
    if (leaves.has(change.kind)) flow.left += 1;
  }
  return flow;
}

const joins = new Set<Change['kind']>(['new-installed', 'new-not-installed', 'included']);
const leaves = new Set<Change['kind']>(['removed', 'excluded']);

/** The row for all sources: sums, and the worst of their soundnesses. */
export function coverageOfAll(rows: readonly Coverage[]): Coverage {
  const sum = (figure: CoverageFigure) => rows.reduce((total, row) => total + row[figure], 0);
  return {
    source: 'all',
    platform: 'all',
    soundness: soundnesses.find((soundness) => rows.some((row) => row.soundness === soundness)) ?? 'complete',
    devices: sum('devices'),
    counted: sum('counted'),
    excluded: sum('excluded'),
    exempt: sum('exempt'),
    stale: sum('stale'),
    installed: sum('installed'),
    notInstalled: sum('notInstalled'),
    provenInstalled: sum('provenInstalled'),
    provenNotInstalled: sum('provenNotInstalled'),
    lost: sum('lost'),
    recovered: sum('recovered'),
    joined: sum('joined'),
    left: sum('left'),
  };
}

type CoverageFigure = Exclude<keyof Coverage, 'source' | 'platform' | 'soundness'>;

export interface Interval {
  /** Percent with two decimals; empty when nothing is counted. */
  readonly coverage: string;
  readonly low: string;
  readonly high: string;
}

/** Headline to the nearest hundredth, low rounded down, high rounded up: rounding never narrows the interval. */
export function intervalOf(row: Coverage): Interval {
  if (row.counted === 0) return { coverage: '', low: '', high: '' };
  return {
    coverage: percent(Math.floor((2 * row.installed * 10_000 + row.counted) / (2 * row.counted))),
    low: percent(Math.floor((row.provenInstalled * 10_000) / row.counted)),
    high: percent(10_000 - Math.floor((row.provenNotInstalled * 10_000) / row.counted)),
  };
}

function percent(hundredths: number): string {
  return `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, '0')}`;
}
