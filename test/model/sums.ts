/** "The sum. Before + joined − left = after, in each whole source and in all." */
import { type Entry, findSource, type SourceNight, type Transition } from './rows.ts';

export interface Flow {
  joined: number;
  left: number;
}

/** Where an entry is counted: "entries that are counted and whose record stands in the source". */
export function findPlace(entry: Entry | undefined): string | undefined {
  return entry === undefined || entry.isGone || !entry.counted ? undefined : entry.standing.source;
}

/** Of a source, or of all where `name` is undefined. */
export function countFlow(
  transitions: readonly Transition[],
  sources: readonly SourceNight[],
  name: string | undefined,
): Flow {
  const flow = { joined: 0, left: 0 };
  for (const { before, after } of transitions) {
    const from = findKnownPlace(before, sources);
    const to = findPlace(after);
    const isNewHere = to !== undefined && findSource(sources, to)?.first === true;
    if (name === undefined) {
      // "`moved` leaves one source and joins the other; from a source no longer in the settings it also joins in all."
      flow.joined += Number(from === undefined && to !== undefined && !isNewHere && isInSettings(to, sources));
      flow.left += Number(from !== undefined && to === undefined);
    } else if (from !== to) {
      flow.joined += Number(to === name && !isNewHere);
      flow.left += Number(from === name);
    }
  }
  return flow;
}

/** "A source on its first night is left out: what it counts is its before." */
function findKnownPlace(entry: Entry | undefined, sources: readonly SourceNight[]): string | undefined {
  const place = findPlace(entry);
  const source = place === undefined ? undefined : findSource(sources, place);
  return source === undefined || source.first ? undefined : place;
}

function isInSettings(place: string, sources: readonly SourceNight[]): boolean {
  return findSource(sources, place) !== undefined;
}
