/** What suspect and untrusted nights since the baseline have shown; a complete night ends them. */

import type { Status } from '../facts/facts.ts';
import type { BaselineMatch, DeviceStanding, JudgedDevice } from '../facts/judged.ts';
import type { BaselineDevice, ProvisionalHistory, ProvisionalNight } from '../facts/state.ts';

/** How one night showed a device: Installed, Not Installed, or not at all. */
type ShownLetter = 'I' | 'N' | '-';

const letters: Readonly<Record<Status, ShownLetter>> = { Installed: 'I', 'Not Installed': 'N' };
const absent: ShownLetter = '-';

export const noProvisionalNights: ProvisionalHistory = { nights: [], devices: [] };

export interface ShownNight extends ProvisionalNight {
  readonly letter: ShownLetter;
}

/** Before its first night a record is the one whose place it took, in whatever source that one was. */
export function listShownNights(
  { source, facts }: JudgedDevice<DeviceStanding>,
  match: BaselineMatch | undefined,
  histories: ReadonlyMap<string, ProvisionalIndex>,
): readonly ShownNight[] {
  if (match === undefined || match.how === 'same') {
    return listRecordNights(histories.get(source), facts.id, match?.known);
  }
  const own = listRecordNights(histories.get(source), facts.id, undefined);
  const begin = own.findIndex(({ letter }) => letter !== absent);
  const known = match.wasAway ? undefined : match.known;
  const replaced = listRecordNights(histories.get(match.source), match.known.facts.id, known);
  const first = own[begin];
  return first === undefined ? replaced : [...replaced.filter(({ slot }) => slot < first.slot), ...own.slice(begin)];
}

/** One source's nights, and its devices by id. */
export interface ProvisionalIndex {
  readonly nights: readonly ProvisionalNight[];
  readonly shown: ReadonlyMap<string, string>;
}

export function indexProvisional({ nights, devices }: ProvisionalHistory): ProvisionalIndex {
  return { nights, shown: new Map(devices.map(({ id, shown }) => [id, shown])) };
}

function listRecordNights(
  { nights, shown }: ProvisionalIndex = { nights: [], shown: new Map() },
  id: string,
  inBaseline: BaselineDevice | undefined,
): ShownNight[] {
  const unchanged = inBaseline === undefined ? absent : letters[inBaseline.status];
  const letterOn = shown.get(id);
  return nights.map((night, index) => ({ ...night, letter: (letterOn?.[index] ?? unchanged) as ShownLetter }));
}

/**
 * Since when a device has been Not Installed, "at least": since its baseline says, or the record whose place it took,
 * unless a suspect night, whose instrument was sound, showed it Installed after that; otherwise since the nights that
 * have shown it Not Installed.
 */
export function findNotInstalledSince(
  match: BaselineMatch | undefined,
  shown: readonly ShownNight[],
  slot: string,
): string {
  const known = match?.known.notInstalledSince;
  if (known !== undefined && !shown.some(({ soundness, letter }) => soundness === 'suspect' && letter === 'I')) {
    return known;
  }
  const last = shown.findLastIndex(({ letter }) => letter !== 'N');
  return shown[last + 1]?.slot ?? slot;
}

/** Devices that every night showed as the baseline has them are left out. */
export function rememberProvisionalNight(
  { nights, devices: before }: ProvisionalHistory,
  night: ProvisionalNight,
  devices: readonly JudgedDevice[],
  baseline: readonly BaselineDevice[],
): ProvisionalHistory {
  const past = new Map(before.map(({ id, shown }) => [id, shown]));
  const tonight = new Map<string, ShownLetter>(
    devices.map(({ facts, judgement }) => [facts.id, letters[judgement.status]]),
  );
  const inBaseline = new Map<string, ShownLetter>(baseline.map(({ facts, status }) => [facts.id, letters[status]]));
  const ids = new Set([...past.keys(), ...tonight.keys(), ...inBaseline.keys()]);
  return {
    nights: [...nights, night],
    devices: [...ids].flatMap((id) => {
      const letter = tonight.get(id) ?? absent;
      const expected = inBaseline.get(id) ?? absent;
      const shown = past.get(id);
      return shown === undefined && letter === expected
        ? []
        : [{ id, shown: (shown ?? expected.repeat(nights.length)) + letter }];
    }),
  };
}
