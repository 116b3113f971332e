/** Finds faults of a source's list: missing and repeated devices, shared serial numbers, and contradicting records. */

import { omitUndefined } from '../../base/omit-undefined.ts';
import type { CheckResult, DeviceFacts, SourceFacts } from '../facts/facts.ts';
import type { ListingFigures } from '../facts/state.ts';
import { formatCount } from '../text/format-count.ts';
import { pluralize } from '../text/pluralize.ts';
import { isVisible } from '../text/visible-text.ts';

/** Limits above the baseline's share, in percentage points and in devices, that a gap must both exceed. */
const toleratedPoints = 20;
const toleratedDevices = 10;

export interface ListingGap {
  readonly lacking: number;
  readonly of: number;
  /** The number of devices that would be missing at the baseline's share. */
  readonly expected: number;
}

export interface ListingGaps {
  /** Devices that only the apps' reports name. */
  readonly unlisted?: ListingGap;
  /** Devices by which the list is below the platform's own overview. */
  readonly shortfall?: ListingGap;
}

/** Figures of the listed devices; the receipt also counts those of other systems, where the platform lists them. */
export function readListingFigures(source: Pick<SourceFacts, 'devices' | 'unread' | 'receipt'>): ListingFigures {
  const { devices, unread = [], receipt } = source;
  const { unlisted, overview } = receipt;
  return { received: devices.length + unread.length, ...omitUndefined({ unlisted, overview }) };
}

/** The figures for the next run: without a new overview, the last known one is kept. */
export function rememberListing(current: ListingFigures, before: ListingFigures | undefined): ListingFigures {
  if (current.overview !== undefined || before?.overview === undefined) {
    return current;
  }
  return { ...current, overview: before.overview, overviewOf: before.overviewOf ?? before.received };
}

/** Gaps that are implausibly above the baseline's. */
export function findListingGaps(current: ListingFigures, baseline: ListingFigures | undefined): ListingGaps {
  const unlisted = compareGap(countUnlisted(current), baseline && countUnlisted(baseline));
  const shortfall = compareGap(countShortfall(current), baseline && countShortfall(baseline));
  return { ...(unlisted && { unlisted }), ...(shortfall && { shortfall }) };
}

/** Whether the list is below the platform's own overview by a larger share than the baseline's was. */
export function isShortfallAbove(current: ListingFigures, baseline: ListingFigures | undefined): boolean {
  const [now, before] = [countShortfall(current), baseline && countShortfall(baseline)];
  return now !== undefined && now.lacking * (before?.of || 1) > (before?.lacking ?? 0) * now.of;
}

type MissingShare = Pick<ListingGap, 'lacking' | 'of'>;

function countUnlisted({ received, unlisted }: ListingFigures): MissingShare | undefined {
  return unlisted === undefined ? undefined : { lacking: unlisted, of: received + unlisted };
}

function countShortfall({ received, overview, overviewOf = received }: ListingFigures): MissingShare | undefined {
  return overview === undefined ? undefined : { lacking: Math.max(0, overview - overviewOf), of: overview };
}

/** Compares two shares, multiplied out to avoid rounding; undefined where the gap is within the limits. */
function compareGap(current: MissingShare | undefined, before: MissingShare | undefined): ListingGap | undefined {
  if (current === undefined) {
    return undefined;
  }
  const { lacking, of } = current;
  const expected = before === undefined || before.of === 0 ? 0 : (before.lacking * of) / before.of;
  const isAbove = (lacking - expected) * 100 > toleratedPoints * of && lacking - expected > toleratedDevices;
  return isAbove ? { lacking, of, expected } : undefined;
}

const maximumNamedRecords = 12;
const longestName = 60;

interface NamedRecord {
  readonly source: string;
  readonly facts: Pick<DeviceFacts, 'id' | 'name' | 'serialNumber'>;
}

/** Groups of records of all sources that concern each other. */
export interface ConcernedRecords {
  /** Machines that share a serial number. */
  readonly sharing: readonly (readonly NamedRecord[])[];
  /** Records of one machine that contradict each other. */
  readonly contradicted: readonly (readonly NamedRecord[])[];
}

/** Findings about groups that include one of the source's own records. */
export function findMachineFindings(source: string, { sharing, contradicted }: ConcernedRecords): CheckResult[] {
  const concerns = (group: readonly NamedRecord[]) => group.some((record) => record.source === source);
  return [
    ...describeRecords(source, sharing.filter(concerns), {
      check: 'devices.shared-serial',
      expected: 'no serial number on several machines',
      what: 'serial number',
      advice:
        'Each of them is counted as a machine. Compare each number with the one that the machine itself shows. Where it is wrong there too, as on a cloned virtual machine or after a replaced mainboard, have it set; otherwise delete the record that is wrong.',
    }),
    ...describeRecords(source, contradicted.filter(concerns), {
      check: 'devices.contradicted',
      expected: 'one answer about each machine, whoever is asked',
      what: 'machine',
      advice: 'Nothing is proven about them. Look at each machine, and remove the record that is wrong.',
    }),
  ];
}

/** Devices that the platform's list has in several equal rows. */
export function describeRepeated({ name, repeated = [], devices }: Pick<SourceFacts, 'name' | 'repeated' | 'devices'>) {
  const ids = new Set(repeated);
  const groups = devices.filter(({ id }) => ids.has(id)).map((facts) => [{ source: name, facts }]);
  return describeRecords(name, groups, {
    check: 'devices.repeated',
    expected: 'each device once in the platform’s list',
    what: 'device',
    advice: 'Each is counted once. Where the platform’s console has two records of one, delete the older.',
  });
}

/** Devices that the agent's console has seen and that their platform calls Not Installed. */
export function describeContradictions(source: string, contradicted: readonly NamedRecord[]): CheckResult[] {
  const groups = contradicted.map((record) => [record]);
  return describeRecords(source, groups, {
    check: 'lists.contradicted',
    expected: 'no Not Installed device that the agent’s console has seen lately',
    what: 'machine',
    advice:
      'Their platform’s answer is not proven. Look at a machine, and find out why its platform does not see the agent.',
  });
}

/** A finding about groups of records: names and serial numbers first, for people; then all ids. */
function describeRecords(
  source: string,
  groups: readonly (readonly NamedRecord[])[],
  { what, ...texts }: Pick<CheckResult, 'check' | 'expected' | 'advice'> & { readonly what: string },
): CheckResult[] {
  if (groups.length === 0) {
    return [];
  }
  const count = groups.flat().length;
  let room = maximumNamedRecords;
  const named = groups.flatMap((group) => {
    const shown = group.slice(0, room).map((record) => nameRecord(record, source));
    room -= shown.length;
    const { serialNumber } = group[0]?.facts ?? {};
    const before = serialNumber ? `${shorten(serialNumber)}: ` : '';
    return shown.length === 0 ? [] : [`${before}${shown.join(' and ')}`];
  });
  const more = count > maximumNamedRecords ? ` and ${count - maximumNamedRecords} more` : '';
  const onDevices = count === groups.length ? '' : ` on ${formatCount(count)} devices`;
  const found = `${groups.length} ${pluralize(groups.length, what)}${onDevices}: ${named.join('; ')}${more}`;
  return [{ ...texts, result: 'fail', instrument: false, found }];
}

function nameRecord({ source: of, facts: { id, name = '' } }: NamedRecord, source: string): string {
  const reference = of === source ? id : `${of}/${id}`;
  return isVisible(name) ? `${shorten(name)} (${reference})` : reference;
}

function shorten(text: string): string {
  return text.length <= longestName ? text : `${text.slice(0, longestName).toWellFormed()}…`;
}
