/**
 * The lists of a night, after answers are judged and before they are compared: they name machines that nobody knows and
 * devices that nobody sees. No list makes a device Installed, proven or counted; one can only take a proof away.
 */

import { omitUndefined } from '../../base/omit-undefined.ts';
import type { Facts } from '../facts/facts.ts';
import type { JudgedDevice, JudgedSource } from '../facts/judged.ts';
import type { JudgedLists } from '../facts/lists.ts';
import type { ListFigures, State } from '../facts/state.ts';
import { isWhole } from '../facts/vocabulary.ts';
import { describeContradictions } from '../source/listing.ts';
import { isSameSource } from '../source/source-input.ts';
import { isExpected, judgeExpected, type KnownFleet } from './expected.ts';
import { type ExpectedMachine, indexExpectedRows, indexReportingRows, type ListIndex } from './list-rows.ts';
import { judgeList } from './list-soundness.ts';
import { createReportingReader } from './reporting.ts';

/** The parts of a judged source that lists look at and add to. */
interface SourcePart {
  readonly source: JudgedSource;
  readonly devices: readonly JudgedDevice[];
  readonly listFigures?: ListFigures;
}

/** With the figures of all sources together, and what the next run's lists are compared with. */
export function judgeLists<Part extends SourcePart>(
  parts: readonly Part[],
  facts: Facts,
  previous: State | undefined,
): { judged: readonly Part[]; lists: JudgedLists; totals: ListFigures; memory: Pick<State, 'lists'> } {
  if (facts.lists === undefined) {
    return { judged: parts, lists: {}, totals: {}, memory: {} };
  }
  const fleet = findKnownFleet(parts, previous);
  const { expected: wanted, reporting: seen } = facts.lists;
  const before = previous?.lists;
  const allWanted = wanted && indexExpectedRows(wanted, facts.slot);
  const expected = wanted && allWanted && judgeList('expected', wanted, allWanted, before?.expected, facts);
  const reporting = seen && judgeList('reporting', seen, indexReportingRows(seen), before?.reporting, facts);
  const judgedExpected = expected && allWanted && judgeExpected(expected.list, allWanted, fleet);
  const readReporting =
    reporting?.index && createReportingReader(reporting.list, reporting.index, fleet.devices, facts);
  const judged = parts.map((part) => addLists(part, expected?.index, readReporting));
  const isUntold = ({ judgement: { counted, status }, lists }: JudgedDevice) =>
    counted && status === 'Installed' && lists?.silent === undefined;
  const notJudged = readReporting && judged.flatMap(({ devices }) => devices).filter(isUntold).length;
  const { expected: machines = 0, unenrolled } = judgedExpected ?? {};
  return {
    judged,
    lists: omitUndefined({ expected: judgedExpected, reporting: reporting && { ...reporting.list, notJudged } }),
    totals: unenrolled ? { expected: machines, enrolledNowhere: unenrolled.length } : {},
    memory: { lists: omitUndefined({ expected: expected?.memory, reporting: reporting?.memory }) },
  };
}

/** Whatever a source that is not whole tonight had in its baseline is enrolled still, as far as anybody knows. */
function findKnownFleet(parts: readonly SourcePart[], previous: State | undefined): KnownFleet {
  const isUnknown = ({ source: { soundness, baseline } }: SourcePart) =>
    soundness === 'missing' || (soundness === 'suspect' && baseline === undefined);
  const doubtful = parts.filter(({ source }) => !isWhole(source.soundness));
  const baselines = doubtful.map(
    ({ source }) => previous?.sources.find((past) => isSameSource(past, source))?.baseline,
  );
  return {
    devices: parts.flatMap(({ devices }) => devices),
    earlier: baselines.flatMap((baseline) => (baseline?.devices ?? []).map((device) => device.facts)),
    heldBy: parts.filter(isUnknown).map(({ source }) => source.name),
  };
}

/** Both are undefined where their list says nothing tonight. */
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
    const isDoubted = lists.isContradicted && judgement.proven;
    return { ...device, lists, judgement: isDoubted ? { ...judgement, proven: false } : judgement };
  });
  const counted = devices.filter(({ judgement }) => judgement.counted);
  const seen = counted.filter(({ lists }) => lists?.silent === false);
  const contradictions = describeContradictions(
    part.source.name,
    devices.filter(({ lists }) => lists?.isContradicted),
  );
  return {
    ...part,
    devices,
    source: { ...part.source, findings: [...part.source.findings, ...contradictions] },
    listFigures: {
      ...(expected && { notExpected: counted.filter(({ lists }) => lists?.expected === false).length }),
      ...(readReporting && {
        silent: counted.filter(({ lists }) => lists?.silent).length,
        reporting: seen.length,
        provenReporting: seen.filter(({ judgement }) => judgement.proven).length,
      }),
    },
  };
}
