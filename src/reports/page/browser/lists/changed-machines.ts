/** Machines whose state differs between two runs. */
import { omitUndefined } from '../../../../base/omit-undefined.ts';
import type { CountLetter } from '../../../../core/facts/ledger.ts';
import type { DifferenceKind } from '../../../../core/facts/vocabulary.ts';
import {
  type CountLetterPair,
  decideDifferenceKinds,
  findPair,
  isCounted,
  isInstalled,
  isProven,
} from '../../../../core/ledger/letters.ts';
import { type ChangedMachine, sortChanges } from '../../shared/change-list.ts';
import { changeTexts as texts } from '../../shared/list-texts.ts';
import type { GoneDevice, ListedDevice } from '../../shared/page-data.ts';
import type { Page } from '../load-page-data.ts';

interface ComparedMachine extends CountLetterPair {
  readonly device: ListedDevice | GoneDevice;
}

/** Pairs machines in two runs; one without a history has been the same in all compared runs. */
export function pairMachines({ gone, devices }: Pick<Page, 'gone' | 'devices'>, earlier: string, later: string) {
  return [...devices, ...gone].flatMap((device): ComparedMachine[] => {
    const { history } = device;
    return history === undefined ? [] : [{ device, ...findPair(history, earlier, later) }];
  });
}

export function listChangedMachines(machines: readonly ComparedMachine[]): ChangedMachine[] {
  return sortChanges(
    machines.flatMap((machine) => decideDifferenceKinds(machine).map((change) => toChangedMachine(machine, change))),
  );
}

/** A changed machine, with place, owner, reason and exclusion as in the page's run. */
function toChangedMachine({ device, was, is }: ComparedMachine, change: DifferenceKind): ChangedMachine {
  const { source, id, platform, name, serialNumber, site, department, reason } = device;
  const { user, excludedBecause } = 'leftOn' in device ? {} : device;
  const because = change === 'excluded' ? excludedBecause : undefined;
  const isMember = isCounted(is);
  return {
    source,
    id,
    platform,
    change,
    before: describe(was),
    after: describe(is),
    reason: because ?? reason,
    ...omitUndefined({ name, serialNumber, site, department, user }),
    ...(isCounted(was) !== isMember && { flow: isMember ? 'joined' : 'left' }),
  };
}

function describe(letter: CountLetter): string {
  if (!isCounted(letter)) {
    return letter === '-' ? texts.notListed : texts.notCounted;
  }
  const status = isInstalled(letter) ? 'Installed' : 'Not Installed';
  return isProven(letter) ? status : `${status}, ${texts.unproven}`;
}
