/** The named faults: which there are, how one is requested, and which of them are active. */

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
  'export-refused',
  'action-gone',
  'action-refused',
  'action-throttled',
  'filter-refused',
  'expand-refused',
  'assignments-refused',
  'devices-hidden',
  'ids-respelled',
  'licence-missing',
  'sign-in-unsteady',
  'download-expired',
  'zip-broken',
  'attribute-renamed',
  'attribute-disabled',
  'down',
  'gateway-timeouts',
  'clean-up',
  'large-rows',
  'account-errors',
] as const;

type FaultName = (typeof allFaultNames)[number];
export type SimulatedPlatform = 'jamf' | 'graph';

export interface Fault {
  readonly name: FaultName;
  readonly platform: SimulatedPlatform | undefined;
  readonly number: number | undefined;
  readonly lasting: boolean;
}

/** How often a fault is injected into each kind of endpoint before it heals by itself; 1 for those not named. */
const injectionsUntilHealed: Partial<Record<FaultName, number>> = {
  'throttled-seconds': 2,
  'throttled-date': 2,
  'throttled-bare': 2,
  'server-errors': 2,
  'slow-pages': 4,
  'action-throttled': 2,
  down: 2,
  'gateway-timeouts': 4,
  'account-errors': 4,
};

export interface Faults {
  set(specifications: readonly string[]): void;
  /** The fault that is set for this platform, whether it is still active or has healed. */
  find(platform: SimulatedPlatform, name: FaultName): Fault | undefined;
  /** Counts one injection and returns the fault; undefined when it is not set or has healed. */
  inject(platform: SimulatedPlatform, name: FaultName, endpoint?: string): Fault | undefined;
  /** Whether the next injection would return the fault, without counting one. */
  isActive(platform: SimulatedPlatform, name: FaultName, endpoint?: string): boolean;
}

export function createFaults(specifications: readonly string[]): Faults {
  let faults: readonly Fault[] = specifications.map(parseFault);
  const injections = new Map<string, number>();

  function find(platform: SimulatedPlatform, name: FaultName): Fault | undefined {
    return faults.find((fault) => fault.name === name && (fault.platform ?? platform) === platform);
  }

  function count(platform: SimulatedPlatform, name: FaultName, endpoint: string): number {
    return injections.get(`${platform} ${name} ${endpoint}`) ?? 0;
  }

  function isActive(platform: SimulatedPlatform, name: FaultName, endpoint = ''): boolean {
    const fault = find(platform, name);
    return (
      fault !== undefined && (fault.lasting || count(platform, name, endpoint) < (injectionsUntilHealed[name] ?? 1))
    );
  }

  return {
    set(names) {
      faults = names.map(parseFault);
      injections.clear();
    },
    find,
    isActive,
    inject(platform, name, endpoint = '') {
      if (!isActive(platform, name, endpoint)) {
        return undefined;
      }
      injections.set(`${platform} ${name} ${endpoint}`, count(platform, name, endpoint) + 1);
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
