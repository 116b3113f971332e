/**
 * Judges the lists of a run, between judging the answers and comparing them: they name machines that are enrolled
 * nowhere and devices that their console does not see, and supply places that a platform does not know. A list makes no
 * device Installed, proven or counted; it can only take a proof away.
 */

import { omitUndefined } from '../../base/omit-undefined.ts';
import type { CompanyFacts } from '../facts/company.ts';
import type { PlatformFacts } from '../facts/facts.ts';
import type { JudgedDevice, JudgedSource } from '../facts/judged.ts';
import type { JudgedExpectedList, JudgedList, JudgedLists, ListMemory } from '../facts/lists.ts';
import type { ListFigures, State } from '../facts/state.ts';
import { isWhole } from '../facts/vocabulary.ts';
import { listRecords } from '../ledger/entries.ts';
import { readRealSerialNumber } from '../machine/serial-numbers.ts';
import { findFirstReason, isAnswerProven } from '../record/proof.ts';
import { toSourceKey } from '../record/references.ts';
import { describeContradictions } from '../source/listing.ts';
import { readDay } from '../time/written-dates.ts';
import {
  addListPlaces,
  createReportingReader,
  type ExpectedMachine,
  indexExpectedRows,
  indexReportingRows,
  isExpected,
  type ListIndex,
  readListSerial,
} from './list-rows.ts';
import { judgeList } from './list-soundness.ts';

/** The parts of a judged source that lists read and extend. */
interface SourcePart {
  /** Its key in the ledger. */
  readonly key: string;
  readonly source: JudgedSource;
  readonly devices: readonly JudgedDevice[];
  readonly listFigures?: ListFigures;
}

/** Adds the lists' statements to the parts, with the figures of all sources together, and the memory for the next run's lists. */
export function judgeLists<Part extends SourcePart>(
  parts: readonly Part[],
  platforms: PlatformFacts,
  company: CompanyFacts,
  previous: State | undefined,
): { judged: readonly Part[]; lists: JudgedLists; totals: ListFigures; memory: Pick<State, 'lists'> } {
  const facts = { ...platforms, ...company };
  if (facts.lists === undefined) {
    return { judged: parts, lists: {}, totals: {}, memory: {} };
  }
  const before = previous?.lists ?? {};
  const machines = facts.lists.expected && indexExpectedRows(facts.lists.expected, facts.slot);
  const times = facts.lists.reporting && indexReportingRows(facts.lists.reporting);
  const expected =
    machines && judgeExpected(judgeList('expected', machines, before.expected, facts), machines, parts, previous);
  const reporting = times && judgeList('reporting', times, before.reporting, facts);
  const devices = parts.flatMap((part) => part.devices);
  const soundMachines = expected?.soundness === 'sound' ? machines : undefined;
  const readReporting =
    times && reporting?.soundness === 'sound'
      ? createReportingReader(times, reporting.date, devices, facts)
      : undefined;
  const judged = parts.map((part) => addLists(part, soundMachines, readReporting));
  const isUntold = ({ judgement: { counted, status }, lists }: JudgedDevice) =>
    counted && status === 'Installed' && lists?.silent === undefined;
  const notJudged = readReporting && judged.flatMap((part) => part.devices).filter(isUntold).length;
  // The memory of the last sound list stays while the list is not sound.
  const remember = (list: JudgedList | undefined, last: ListMemory | undefined) =>
    list?.soundness === 'sound' ? { slot: facts.slot, machines: list.machines } : list && last;
  return {
    judged,
    lists: omitUndefined({ expected, reporting: reporting && { ...reporting, notJudged } }),
    totals: expected?.unenrolled ? { expected: expected.expected, enrolledNowhere: expected.unenrolled.length } : {},
    memory: {
      lists: omitUndefined({
        expected: remember(expected, before.expected),
        reporting: remember(reporting, before.reporting),
      }),
    },
  };
}

/** Judges the expected machines. One with a record in a source that is not whole counts as enrolled. */
function judgeExpected(
  list: JudgedList,
  { bySerial }: ListIndex<ExpectedMachine>,
  parts: readonly SourcePart[],
  previous: State | undefined,
): JudgedExpectedList {
  const devices = parts.flatMap((part) => part.devices);
  const waiting = new Set(parts.flatMap(({ source, key }) => (isWhole(source.soundness) ? [] : key)));
  const earlier = (previous?.ledger ?? []).filter(
    (entry) => !entry.isGone && listRecords(entry).some((record) => waiting.has(toSourceKey(record))),
  );
  const enrolled = new Set([
    ...devices.map(({ facts }) => readListSerial(facts)),
    ...earlier.map(({ standing }) => readListSerial(standing)),
  ]);
  const expected = [...bySerial].flatMap(([key, machine]) => (machine?.isExpected ? [{ key, ...machine }] : []));
  const unenrolled = expected
    .filter(({ key }) => !enrolled.has(key))
    .map(({ row: { serial = '', department: _, until, ...row }, file }) => ({
      serialNumber: serial,
      file,
      ...row,
      ...omitUndefined({ until: until && readDay(until) }),
    }));
  const heldBy = parts.filter(isUnknown).map(({ source }) => source.name);
  return {
    ...list,
    expected: expected.length,
    unenrolled: list.soundness === 'sound' && heldBy.length === 0 ? unenrolled : undefined,
    heldBy,
    unidentified: devices.filter(({ facts, judgement }) => judgement.counted && !readRealSerialNumber(facts)).length,
  };
}

function isUnknown({ source: { soundness, baseline } }: SourcePart): boolean {
  return soundness === 'missing' || (soundness === 'suspect' && baseline === undefined);
}

/** Adds the statements of both lists; each index is undefined where its list is not judged in this run. */
function addLists<Part extends SourcePart>(
  part: Part,
  expected: ListIndex<ExpectedMachine> | undefined,
  readReporting: ReturnType<typeof createReportingReader> | undefined,
): Part {
  const devices = part.devices.map((device): JudgedDevice => {
    const { facts, judgement } = device;
    const lists = {
      ...omitUndefined({ expected: expected && isExpected(facts, expected) }),
      ...readReporting?.(device),
    };
    const unprovenBecause = findFirstReason(
      judgement.unprovenBecause,
      lists.isContradicted ? 'list-contradicts' : undefined,
    );
    return {
      ...device,
      facts: expected ? addListPlaces(facts, expected, judgement.rules) : facts,
      lists,
      judgement: unprovenBecause === judgement.unprovenBecause ? judgement : { ...judgement, unprovenBecause },
    };
  });
  const counted = devices.filter(({ judgement }) => judgement.counted);
  const seen = counted.filter(({ lists }) => lists?.silent === false);
  const contradicted = devices.filter(({ lists }) => lists?.isContradicted);
  const findings = [...part.source.findings, ...describeContradictions(part.source.name, contradicted)];
  return {
    ...part,
    devices,
    source: { ...part.source, findings },
    listFigures: {
      ...(expected && { notExpected: counted.filter(({ lists }) => lists?.expected === false).length }),
      ...(readReporting && {
        silent: counted.filter(({ lists }) => lists?.silent).length,
        reporting: seen.length,
        provenReporting: seen.filter(({ judgement }) => isAnswerProven(judgement)).length,
      }),
    },
  };
}
