/** The rows of a source that a run shows: its own, or those of the source's last whole run. */
import type { CarriedRows, PlatformFacts, ShownRow, SourceFacts } from '../facts/facts.ts';
import { compareCodePoints } from '../text/order.ts';
import { dropUnknownDates } from './ages.ts';

/** The later of the end of the reading and the run's moment, in ISO 8601. */
export function findReadingTime(
  { receipt }: { readonly receipt: Pick<SourceFacts['receipt'], 'ended'> },
  { moment }: Pick<PlatformFacts, 'moment'>,
): string {
  return Date.parse(receipt.ended) > Date.parse(moment) ? receipt.ended : moment;
}

/** Rows ordered by id. A device that its server could not return is shown as it was read last. */
export function listShownRows(source: SourceFacts, run: Pick<PlatformFacts, 'slot' | 'moment'>): readonly ShownRow[] {
  const { reading, devices, unread = [], carried } = source;
  if (reading === 'incomplete') {
    return carried?.rows ?? [];
  }
  const readAt = Date.parse(findReadingTime(source, run));
  const read = devices.map((device): ShownRow => ({ facts: dropUnknownDates(device, readAt), answeredOn: run.slot }));
  const kept = new Map(unread.length === 0 ? [] : carried?.rows.map((row) => [row.facts.id, row]));
  const others = unread.map(
    (device): ShownRow => ({ ...(kept.get(device.id) ?? { facts: { ...device, answers: [] } }), unread: true }),
  );
  return [...read, ...others].sort((left, right) => compareCodePoints(left.facts.id, right.facts.id));
}

/** Whether a source shows rows of its last whole run. */
export function needsCarriedRows({ reading, unread = [] }: SourceFacts): boolean {
  return reading === 'incomplete' || unread.length > 0;
}

/** The rows of a source's last whole run that its facts keep: all where it was not read, else those of its unread devices. */
export function selectCarriedRows(source: SourceFacts, { slot, rows }: CarriedRows): CarriedRows | undefined {
  if (source.reading === 'incomplete') {
    return { slot, rows };
  }
  const ids = new Set(source.unread?.map(({ id }) => id));
  // A device that was never read has no row to carry.
  const kept = rows.filter(({ facts, answeredOn }) => ids.has(facts.id) && answeredOn !== undefined);
  return kept.length === 0 ? undefined : { slot, rows: kept };
}
