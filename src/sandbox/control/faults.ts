/** The named faults: which there are, how one is asked for, and which of them strike now. */

export const allFaultNames = [
  'throttled-seconds',
  'throttled-date',
  'throttled-bare',
  'server-errors',
  'reset-mid-body',
  'truncated-json',
  'html-200',
  'hang',
  'token-expired',
  'rows-hidden',
  'slow-pages',
  'drifting-pages',
  'next-link-loops',
  'next-link-elsewhere',
  'export-stuck',
  'export-failed',
  'export-empty',
  'download-expired',
  'zip-broken',
  'attribute-renamed',
  'attribute-disabled',
  'down',
] as const;

export type FaultName = (typeof allFaultNames)[number];
export type Platform = 'jamf' | 'graph';

export interface Fault {
  readonly name: FaultName;
  readonly platform: Platform | undefined;
  readonly number: number | undefined;
  readonly lasting: boolean;
}

/** How often a fault strikes each kind of endpoint before it heals by itself. */
const injectionsUntilHealed: Partial<Record<FaultName, number>> = {
  'throttled-seconds': 2,
  'throttled-date': 2,
  'throttled-bare': 2,
  'server-errors': 2,
  'slow-pages': 4,
  down: 2,
};

export interface Faults {
  set(specifications: readonly string[]): void;
  /** The fault stands on this platform, whether it still strikes or not. */
  find(platform: Platform, name: FaultName): Fault | undefined;
  /** Counts one strike and returns the fault, or undefined when it is not set or has healed. */
  inject(platform: Platform, name: FaultName, where?: string): Fault | undefined;
  /** True while the next strike would hit, without counting it. */
  isActive(platform: Platform, name: FaultName, where?: string): boolean;
}

export function createFaults(specifications: readonly string[]): Faults {
  let standing: readonly Fault[] = specifications.map(parseFault);
  const counts = new Map<string, number>();
  const find = (platform: Platform, name: FaultName) =>
    standing.find((fault) => fault.name === name && (fault.platform === undefined || fault.platform === platform));
  const key = (platform: Platform, name: FaultName, where: string) => `${platform} ${name} ${where}`;
  const strikes = (platform: Platform, name: FaultName, where = '') => {
    const fault = find(platform, name);
    return (
      fault !== undefined &&
      (fault.lasting || (counts.get(key(platform, name, where)) ?? 0) < (injectionsUntilHealed[name] ?? 1))
    );
  };
  return {
    set(names) {
      standing = names.map(parseFault);
      counts.clear();
    },
    find,
    isActive: strikes,
    inject(platform, name, where = '') {
      if (!strikes(platform, name, where)) {
        return undefined;
      }
      const counter = key(platform, name, where);
      counts.set(counter, (counts.get(counter) ?? 0) + 1);
      return find(platform, name);
    },
  };
}

/** Reads `[jamf/|graph/]NAME[=NUMBER][:lasting]`. */
function parseFault(specification: string): Fault {
  const match = /^(?:(jamf|graph)\/)?([^=:/]+)(?:=(\d+))?(:lasting)?$/.exec(specification);
  const name = match?.[2] ?? specification;
  if (match === null || !isFaultName(name)) {
    throw new Error(
      `There is no fault "${specification}"; a fault is written [jamf/|graph/]NAME[=NUMBER][:lasting], and the closest names are ${suggestFaultNames(name)}.`,
    );
  }
  return {
    name,
    platform: match[1] === 'jamf' || match[1] === 'graph' ? match[1] : undefined,
    number: match[3] === undefined ? undefined : Number(match[3]),
    lasting: match[4] !== undefined,
  };
}

function isFaultName(name: string): name is FaultName {
  return (allFaultNames as readonly string[]).includes(name);
}

function suggestFaultNames(name: string): string {
  return [...allFaultNames]
    .sort((one, other) => computeEditDistance(name, one) - computeEditDistance(name, other))
    .slice(0, 3)
    .join(', ');
}

function computeEditDistance(one: string, other: string): number {
  let previous = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const change = (previous[column - 1] ?? 0) + (one[row - 1] === other[column - 1] ? 0 : 1);
      current.push(Math.min(change, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[other.length] ?? one.length;
}
