/**
 * The lists of a night, after everything else is judged: they name machines that nobody knows and devices that nobody
 * sees. No list makes a device Installed, proven or counted; one can only take a proof away.
 */

import { omitUndefined } from '../../base/omit-undefined.ts';
import type { Facts } from '../facts/facts.ts';
import type { JudgedDevice, JudgedSource } from '../facts/judged.ts';
import type { JudgedLists } from '../facts/lists.ts';
import type { Coverage, ListFigures, State } from '../facts/state.ts';
import { isWhole } from '../facts/vocabulary.ts';
import { countFigures } from '../source/coverage.ts';
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
  readonly coverage: Coverage;
}

interface ListsResult<Part> {
  readonly judged: readonly Part[];
  readonly lists: JudgedLists;
  /** Of all sources together. */
  readonly totals: ListFigures;
  /** What the next night is compared with; nothing of a list that the settings no longer name. */
  readonly memory: Pick<State, 'lists'>;
}

export function judgeLists<Part extends SourcePart>(
  parts: readonly Part[],
  facts: Facts,
  previous: State | undefined,
): ListsResult<Part> {
  if (facts.lists === undefined) {
    return { judged: parts, lists: {}, totals: {}, memory: {} };
  }
  const fleet = findKnownFleet(parts, previous);
  const { expected: own, reporting: console } = facts.lists;
  const ownIndex = own && indexExpectedRows(own, facts.slot);
  const consoleIndex = console && indexReportingRows(console);
  const ownList = ownIndex && judgeList('expected', own, ownIndex, previous, facts);
  const consoleList = consoleIndex && judgeList('reporting', console, consoleIndex, previous, facts);
  const expected = ownList && judgeExpected(ownList.list, ownIndex, fleet);
  const readers: ListReaders = {
    expected: ownList?.list.soundness === 'sound' ? ownIndex : undefined,
    readReporting:
      consoleIndex && consoleList?.list.soundness === 'sound'
        ? createReportingReader(consoleList.list, consoleIndex, fleet.devices, facts)
        : undefined,
  };
  const judged = parts.map((part) => addLists(part, readers));
  const installed = judged
    .flatMap(({ devices }) => devices)
    .filter(({ judgement }) => judgement.counted && judgement.status === 'Installed');
  const notJudged = readers.readReporting && installed.filter(({ lists }) => lists?.silent === undefined).length;
  return {
    judged,
    lists: omitUndefined({ expected, reporting: consoleList && { ...consoleList.list, notJudged } }),
    totals: expected?.unenrolled ? { expected: expected.expected, enrolledNowhere: expected.unenrolled.length } : {},
    memory: { lists: omitUndefined({ expected: ownList?.memory, reporting: consoleList?.memory }) },
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

/** Undefined where the list says nothing tonight. */
interface ListReaders {
  readonly expected: ListIndex<ExpectedMachine> | undefined;
  readonly readReporting: ReturnType<typeof createReportingReader> | undefined;
}

function addLists<Part extends SourcePart>(part: Part, { expected, readReporting }: ListReaders): Part {
  const devices = part.devices.map((device): JudgedDevice => {
    const { facts, judgement } = device;
    const reporting = readReporting?.(device);
    const lists = { ...omitUndefined({ expected: expected && isExpected(facts, expected) }), ...reporting };
    const isDoubted = reporting?.isContradicted && judgement.proven;
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
    coverage: {
      ...part.coverage,
      ...countFigures(devices),
      ...(expected && { notExpected: counted.filter(({ lists }) => lists?.expected === false).length }),
      ...(readReporting && {
        silent: counted.filter(({ lists }) => lists?.silent).length,
        reporting: seen.length,
        provenReporting: seen.filter(({ judgement }) => judgement.proven).length,
      }),
    },
  };
}
