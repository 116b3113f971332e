/** Machines that the search finds: listed by sources, gone, or enrolled nowhere. */
import type { UnenrolledMachine } from '../../../core/facts/lists.ts';
import { foldSerialNumber } from '../../../core/machine/serial-numbers.ts';
import { fillText } from '../shared/format.ts';
import { toRows } from '../shared/list.ts';
import { findTexts as texts } from '../shared/list-texts.ts';
import type { GoneDevice, ListedDevice } from '../shared/page-data.ts';
import { toCardAddress, toRowsAddress } from './address.ts';
import { describeDevice } from './card/card-content.ts';
import type { Page } from './load-page-data.ts';

export interface FoundMachine {
  readonly title: string;
  readonly facts: readonly (string | undefined)[];
  /** A sentence about the machine's standing. */
  readonly sentence: string;
  readonly address: string;
}

type Identity = Readonly<Partial<Record<'id' | 'name' | 'serialNumber' | 'user', string | undefined>>>;

/** Texts by which a record is found; its serial number in each spelling. */
export function listFoundTexts({ name, serialNumber = '', user, id }: Identity): readonly (string | undefined)[] {
  const folded = foldSerialNumber(serialNumber);
  return [name, serialNumber, user, id, folded === serialNumber ? undefined : folded];
}

export function describeListed(device: ListedDevice, slot: string): FoundMachine {
  const { name, id, serialNumber, user } = device;
  return {
    title: name ?? id,
    facts: [serialNumber, user],
    sentence: describeDevice(device, slot),
    address: toCardAddress(device),
  };
}

/** A machine that no source lists, with the texts by which it is found. */
export interface UnlistedMachine extends FoundMachine {
  readonly searched: readonly (string | undefined)[];
}

export function listUnlistedMachines({ document: { lists }, gone }: Page): UnlistedMachine[] {
  return [...(lists?.expected?.unenrolled ?? []).map(describeUnenrolled), ...gone.map(describeGone)];
}

function describeUnenrolled({ serialNumber, owner, site, note, file }: UnenrolledMachine): UnlistedMachine {
  return {
    searched: [...listFoundTexts({ serialNumber, user: owner }), note],
    title: serialNumber,
    facts: [owner, site],
    sentence: fillText(texts.unenrolled, { file }),
    address: toRowsAddress(toRows('unenrolled', { q: serialNumber })),
  };
}

function describeGone(device: GoneDevice): UnlistedMachine {
  const { source, id, name, serialNumber, leftOn: slot, status } = device;
  return {
    searched: listFoundTexts(device),
    title: name ?? id,
    facts: [serialNumber],
    sentence: fillText(texts.gone, { source, slot, status }),
    address: toCardAddress(device),
  };
}
