/** The records of a run, each with what its own answer means. */
import type { DeviceFacts, Facts, SourceFacts } from '../../src/core/facts/facts.ts';
import { readDevice } from './answers.ts';
import { findBaseline, listBaselineRows } from './baselines.ts';
import { compareText, day, type Past, type Row, readTime } from './rows.ts';

/** "Tonight's rows of each source that answered completely; of any other source the rows of its baseline." */
export function listRecords(past: Past, facts: Facts): Row[] {
  return facts.sources.flatMap((source) => {
    const before = listBaselineRows(findBaseline(past, source.name), source.name);
    const rows = source.reading === 'complete' ? listOwnRows(source, before, facts) : listCarriedRows(before, facts);
    return rows.sort((one, other) => compareText(one.facts.id, other.facts.id));
  });
}

/** Its source answered, and could return it. */
export function isRead({ source, isUnread }: Row, { sources }: Facts): boolean {
  return !isUnread && sources.some(({ name, reading }) => name === source && reading === 'complete');
}

function listOwnRows(source: SourceFacts, before: readonly Row[], facts: Facts): Row[] {
  const read = source.devices.map((device) => makeRow(source, device, facts));
  const unread = (source.unread ?? []).map((device) => {
    // "A device that could not be read is carried over likewise, alone."
    const kept = before.find((row) => row.facts.id === device.id);
    return kept === undefined
      ? toUnread({ ...makeRow(source, { ...device, answers: [] }, facts), answeredOn: undefined })
      : toUnread(judgeAgain(kept, facts));
  });
  return [...read, ...unread];
}

/** "The carried and unread rows of that run included, with the date of their answer." */
function listCarriedRows(before: readonly Row[], facts: Facts): Row[] {
  return before.map((row) => (row.isUnread ? toUnread(judgeAgain(row, facts)) : judgeAgain(row, facts)));
}

/** "The device could not be read tonight: as on its last night, `unread`, not proven." */
function toUnread(row: Row): Row {
  return { ...row, reason: 'unread', isUnread: true };
}

/** "Age. Judged at the slot's scheduled moment." */
function judgeAgain({ source, kind, platform, facts: device, answeredOn }: Row, facts: Facts): Row {
  return {
    source,
    kind,
    platform,
    facts: device,
    ...readDevice(device, kind, facts.policy, Date.parse(facts.moment)),
    against: [],
    excludedBecause: undefined,
    since: undefined,
    isUnread: false,
    answeredOn,
  };
}

function makeRow(source: SourceFacts, device: DeviceFacts, facts: Facts): Row {
  const { name, kind, receipt } = source;
  const known = dropUnknownDates(device, Math.max(Date.parse(facts.moment), Date.parse(receipt.ended)));
  const row = { source: name, kind, platform: device.operatingSystem, facts: known, answeredOn: facts.slot };
  return judgeAgain(row as Row, facts);
}

/** "Any date more than a day after the reading is not known", nor an enrolment in 1970. */
function dropUnknownDates(device: DeviceFacts, readAt: number): DeviceFacts {
  const isAhead = (date: string | undefined) => (readTime(date) ?? readAt) > readAt + day;
  const known = { ...device };
  for (const field of ['lastSeenAt', 'reportedAt', 'enrolledAt'] as const) {
    if (isAhead(device[field])) {
      delete known[field];
    }
  }
  if (device.enrolledAt !== undefined && new Date(device.enrolledAt).getUTCFullYear() <= 1970) {
    delete known.enrolledAt;
  }
  const answers = device.answers.map((answer) => {
    const { at: _at, ...rest } = answer;
    return isAhead(answer.at) ? rest : answer;
  });
  return { ...known, answers };
}
