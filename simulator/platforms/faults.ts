/** The named faults: their definitions, their specifications, and which of them are active. */
import { type PlatformName, platformNames } from './platforms.ts';

// How often each fault is injected into each kind of endpoint before it heals by itself.

/** Faults that every platform can have. */
const sharedFaults = {
  'throttled-seconds': 2,
  'throttled-date': 2,
  'throttled-bare': 2,
  'server-errors': 2,
  'gateway-timeouts': 4,
  'reset-mid-body': 1,
  'truncated-json': 1,
  'html-200': 1,
  hang: 1,
  down: 2,
  'token-expired': 1,
  'rows-hidden': 1,
  'rows-doubled': 1,
  'slow-pages': 4,
  'drifting-pages': 1,
} as const;

const jamfFaults = {
  'attribute-renamed': 1,
  'attribute-disabled': 1,
  'clean-up': 1,
  'large-rows': 1,
  'account-errors': 4,
  'record-500': 1,
  'record-502': 1,
  'record-html': 1,
  'record-cut': 1,
  'record-endless': 1,
} as const;

const graphFaults = {
  'next-link-loops': 1,
  'next-link-elsewhere': 1,
  'export-stuck': 1,
  'export-failed': 1,
  'export-empty': 1,
  'export-refused': 1,
  'action-gone': 1,
  'action-refused': 1,
  'action-throttled': 2,
  'filter-refused': 1,
  'filter-ignored': 1,
  'ranges-refused': 1,
  'combination-ignored': 1,
  'paged-by-position': 1,
  'renamed-devices': 1,
  'dates-null': 1,
  'dates-first-year': 1,
  'expand-refused': 1,
  'assignments-refused': 1,
  'devices-hidden': 1,
  'overview-outdated': 1,
  'ids-respelled': 1,
  'licence-missing': 1,
  'sign-in-unsteady': 1,
  'download-expired': 1,
  'zip-broken': 1,
} as const;

const injectionsUntilHealed = { ...sharedFaults, ...jamfFaults, ...graphFaults };

/** The faults that only the endpoints of one platform can have. */
export interface OwnFaults {
  jamf: keyof typeof jamfFaults;
  graph: keyof typeof graphFaults;
}

export type SharedFaultName = keyof typeof sharedFaults;

type FaultOf<Platform extends PlatformName> = SharedFaultName | OwnFaults[Platform];

export const allFaultNames: readonly string[] = Object.keys(injectionsUntilHealed);

/** Kinds of request to which a fault of the transport can be limited. */
export const requestNames = ['sign-in', 'devices', 'report', 'download'] as const;
export type RequestName = (typeof requestNames)[number];

const faultPattern = new RegExp(
  `^(?:(${platformNames.join('|')})/)?([^=:/@]+)(?:@(${requestNames.join('|')}))?(?:=(\\d+))?(:lasting)?$`,
);

export interface Fault {
  readonly name: string;
  readonly platform: PlatformName | undefined;
  /** The only kind of request that has it; undefined where any can. */
  readonly request: RequestName | undefined;
  readonly number: number | undefined;
  readonly lasting: boolean;
}

export class Faults {
  #faults: readonly Fault[];
  readonly #injections = new Map<string, number>();

  constructor(specifications: readonly string[]) {
    this.#faults = specifications.map(parseFault);
  }

  set(specifications: readonly string[]): void {
    this.#faults = specifications.map(parseFault);
    this.#injections.clear();
  }

  /** The fault that is set for this platform, whether it is still active or has healed. */
  find<Platform extends PlatformName>(
    platform: Platform,
    name: FaultOf<Platform>,
    request?: RequestName,
  ): Fault | undefined {
    return this.#faults.find(
      (fault) =>
        fault.name === name &&
        (fault.platform ?? platform) === platform &&
        (fault.request === undefined || fault.request === request),
    );
  }

  /** Counts one injection and returns the fault; undefined when it is not set or has healed. */
  inject<Platform extends PlatformName>(
    platform: Platform,
    name: FaultOf<Platform>,
    endpoint = '',
    request?: RequestName,
  ): Fault | undefined {
    if (!this.isActive(platform, name, endpoint, request)) {
      return undefined;
    }
    const key = `${platform} ${name} ${endpoint}`;
    this.#injections.set(key, (this.#injections.get(key) ?? 0) + 1);
    return this.find(platform, name, request);
  }

  /** Whether the next injection would return the fault, without counting one. */
  isActive<Platform extends PlatformName>(
    platform: Platform,
    name: FaultOf<Platform>,
    endpoint = '',
    request?: RequestName,
  ): boolean {
    const fault = this.find(platform, name, request);
    const injections = this.#injections.get(`${platform} ${name} ${endpoint}`) ?? 0;
    return fault !== undefined && (fault.lasting || injections < injectionsUntilHealed[name]);
  }
}

/** Reads `[jamf/|graph/]NAME[@REQUEST][=NUMBER][:lasting]`. */
function parseFault(specification: string): Fault {
  const match = faultPattern.exec(specification);
  const name = match?.[2] ?? specification;
  if (match === null || !allFaultNames.includes(name)) {
    const prefixes = platformNames.map((platform) => `${platform}/`).join('|');
    throw new Error(
      `There is no fault "${specification}"; a fault is written [${prefixes}]NAME[@REQUEST][=NUMBER][:lasting], the requests are ${requestNames.join(', ')}, and the names are ${allFaultNames.join(', ')}.`,
    );
  }
  return {
    name,
    platform: platformNames.find((platform) => platform === match[1]),
    request: requestNames.find((request) => request === match[3]),
    number: match[4] === undefined ? undefined : Number(match[4]),
    lasting: match[5] !== undefined,
  };
}
