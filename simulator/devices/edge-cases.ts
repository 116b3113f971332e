/** Assigns edge cases to devices: many among the first 250 of a platform, then each once in a thousand. */
import { macAgentStates, windowsAgentStates } from './agent-states.ts';
import type { Contact, EnrollmentDate, MacContact } from './model.ts';
import { hostileNames } from './names.ts';
import cases from './templates/edge-cases.json' with { type: 'json' };

export type SerialNumberSpelling = 'lower-case' | 'with-spaces' | 'with-hyphens' | 'same';

interface EdgeCase<AgentState> {
  /** The name of the agent's state. */
  readonly agent?: AgentState;
  readonly enrolledNight?: number;
  readonly enrollmentDate?: EnrollmentDate;
  /** Text in place of its own serial number, or null. */
  readonly serialNumber?: string | null;
  /** Set where it has the serial number of the edge case before it, in this spelling. */
  readonly duplicate?: SerialNumberSpelling;
  readonly nameless?: boolean;
}

export interface MacEdgeCase extends EdgeCase<keyof typeof macAgentStates> {
  readonly contact?: MacContact;
  readonly unmanaged?: boolean;
  /** True where it was never enrolled: its record has no udid. */
  readonly neverEnrolled?: boolean;
  readonly canary?: boolean;
}

export interface WindowsEdgeCase extends EdgeCase<keyof typeof windowsAgentStates> {
  readonly contact?: Contact;
  readonly managementState?: string;
  readonly managementAgent?: string;
  readonly owner?: 'personal' | 'unknown';
  readonly userless?: boolean;
}

/**
 * Two records with one serial number, the one enrolled earlier first. They were two machines in use at once if the
 * earlier one's last contact is more than a week after the later one's enrollment; nights differ by up to a day and an
 * hour.
 */
interface RecordPair {
  readonly pair: keyof typeof cases.pairs;
  readonly duplicate: SerialNumberSpelling;
  /** Further properties of the later record. */
  readonly later?: object;
}

/** Ordinals between two edge cases, by which a duplicate looks back. */
export const edgeCaseSpacing = 3;
const firstEdgeCase = 10;
const hostileNameSpacing = 27;
const firstHostileName = 5;
const denseBlock = 250;
const sparsePeriod = 1000;

const macEdgeCases: readonly MacEdgeCase[] = createEdgeCases(macAgentStates, cases.macs, 'installed', 'missing');
const windowsEdgeCases: readonly WindowsEdgeCase[] = createEdgeCases(
  windowsAgentStates,
  cases.windows,
  'missing',
  'installed',
);

/** Makes an edge case for every state of the agent, then those that are listed; a pair is two records with these states. */
function createEdgeCases(
  agentStates: object,
  listed: readonly object[],
  earlierAgent: string,
  laterAgent: string,
): readonly object[] {
  const agents = Object.keys(agentStates).map((agent) => ({ agent }));
  const records = listed.flatMap((entry) => {
    if (!isPair(entry)) {
      return entry;
    }
    const { earlier, later } = cases.pairs[entry.pair];
    const { duplicate } = entry;
    return [
      { ...earlier, agent: earlierAgent },
      { ...later, agent: laterAgent, duplicate, ...entry.later },
    ];
  });
  return [...agents, ...records];
}

function isPair(entry: object): entry is RecordPair {
  return 'pair' in entry;
}

export function findMacEdgeCase(ordinal: number): MacEdgeCase | undefined {
  const first: Readonly<Record<number, object>> = cases.firstOrdinals.macs;
  return first[ordinal] ?? findByOrdinal(macEdgeCases, ordinal, firstEdgeCase, edgeCaseSpacing);
}

export function findWindowsEdgeCase(ordinal: number): WindowsEdgeCase | undefined {
  const first: Readonly<Record<number, object>> = cases.firstOrdinals.windows;
  return first[ordinal] ?? findByOrdinal(windowsEdgeCases, ordinal, firstEdgeCase, edgeCaseSpacing);
}

export function findHostileName(ordinal: number): string | undefined {
  return findByOrdinal(hostileNames, ordinal, firstHostileName, hostileNameSpacing);
}

/** Finds the item of an ordinal. Items are `spacing` ordinals apart from `first` on; an ordinal between two finds nothing. */
function findByOrdinal<Item>(
  items: readonly Item[],
  ordinal: number,
  first: number,
  spacing: number,
): Item | undefined {
  const place = ordinal < denseBlock ? ordinal : ordinal % sparsePeriod;
  return items[(place - first) / spacing];
}
