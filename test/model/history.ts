/** The history of a machine: letters, each with the night from which it held. */
import { countDays, type Entry, type HistoryItem } from './rows.ts';

/** "Its last 30 changes." */
const kept = 30;

/**
 * Counted: I Installed, N Not Installed, in small letters where that is not proven. Not counted: X Installed, x Not
 * Installed. A hyphen: gone.
 */
export function toLetter({ counted, status, proven }: Pick<Entry, 'counted' | 'status' | 'proven'>): string {
  if (!counted) {
    return status === 'Installed' ? 'X' : 'x';
  }
  const letter = status === 'Installed' ? 'I' : 'N';
  return proven ? letter : letter.toLowerCase();
}

export function addLetter(history: readonly HistoryItem[], slot: string, letter: string): HistoryItem[] {
  const isSame = history.at(-1)?.[1] === letter;
  return (isSame ? [...history] : [...history, [slot, letter] as const]).slice(-kept);
}

function hasAgent(letter: string): boolean {
  return ['I', 'i', 'X'].includes(letter);
}

/** The last that the machine was before it became Not Installed was with the agent: one that was gone is new. */
export function hadAgent(history: readonly HistoryItem[]): boolean {
  const last = history.findLast(([, letter]) => letter === '-' || hasAgent(letter));
  return last !== undefined && last[1] !== '-';
}

/** "More than 3 changes between Installed and Not Installed in 7 days." */
export function isFlapping(history: readonly HistoryItem[], slot: string): boolean {
  const known = history.filter(([, letter]) => letter !== '-');
  const changes = known.filter(([, letter], index) => {
    const previous = known[index - 1];
    return previous !== undefined && hasAgent(previous[1]) !== hasAgent(letter);
  });
  return changes.filter(([since]) => countDays(since, slot) < 7).length > 3;
}
