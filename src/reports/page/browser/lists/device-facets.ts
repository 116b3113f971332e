/** The filters of the lists of devices. */

import { foldSerialNumber } from '../../../../core/device/serial-numbers.ts';
import { addDays } from '../../../../core/facts/calendar.ts';
import type { JudgedExemption } from '../../../../core/facts/judged.ts';
import { fillText, formatPlatform } from '../../shared/format.ts';
import { listTexts, columnTitles as titles } from '../../shared/list-texts.ts';
import type { ListedDevice } from '../../shared/page-data.ts';
import { dataQualityTexts } from '../../shared/texts.ts';
import type { Page } from '../load-page-data.ts';
import type { Facet } from './facet.ts';

type FieldKey = 'site' | 'department' | 'building' | 'category' | 'osVersion' | 'model';

export function createDeviceFacets({ document: { slot, platformTitles, exemptions } }: Page) {
  const field = (key: FieldKey): Facet<ListedDevice> => ({ key, label: titles[key], read: (device) => device[key] });
  return {
    source: { key: 'source', label: listTexts.source, read: ({ source }) => source },
    platform: {
      key: 'platform',
      label: listTexts.platform,
      read: ({ platform }) => platform,
      say: (name) => formatPlatform(platformTitles, name),
    },
    reason: { key: 'reason', label: listTexts.reason, read: ({ reason }) => reason },
    because: { key: 'because', label: listTexts.because, read: ({ excludedBecause }) => excludedBecause },
    status: { key: 'status', label: listTexts.status, read: ({ status }) => status },
    counted: { key: 'counted', label: titles.counted, read: ({ counted }) => toFlag(counted), say: sayFlag },
    stale: { key: 'stale', label: titles.stale, read: ({ stale }) => toFlag(stale), say: sayFlag },
    proven: {
      key: 'proven',
      label: listTexts.proven,
      read: ({ proven }) => (proven ? listTexts.provenYes : listTexts.provenNo),
    },
    since: {
      key: 'since',
      label: listTexts.missingFor,
      choices: [7, 30, 90].map((days) => {
        const limit = addDays(slot, -days);
        return {
          word: String(days),
          label: fillText(listTexts.daysOrLonger, { days }),
          holds: ({ notInstalledSince = slot }) => notInstalledSince <= limit,
        };
      }),
    },
    user: { key: 'user', label: titles.user, read: ({ user }) => user, isOnlyInAddress: true },
    valueAge: { key: 'valueAge', label: listTexts.valueAge, read: ({ valueAge }) => valueAge, say: sayAge },
    contactAge: { key: 'contactAge', label: listTexts.contactAge, read: ({ contactAge }) => contactAge, say: sayAge },
    measured: {
      key: 'measured',
      label: listTexts.measured,
      read: ({ measured }) => measured,
      say: (word) => (word === 'current' ? listTexts.measuredNow : listTexts.measuredBefore),
    },
    exemption: {
      key: 'exemption',
      label: dataQualityTexts.exemptions,
      choices: exemptions.map((exemption, index) => ({
        word: String(index),
        label: exemption.value,
        holds: createExemptionTest(exemption),
      })),
      isOnlyInAddress: true,
    },
    site: field('site'),
    department: field('department'),
    building: field('building'),
    category: field('category'),
    osVersion: field('osVersion'),
    model: field('model'),
  } satisfies Readonly<Record<string, Facet<ListedDevice>>>;
}

function toFlag(value: boolean): string {
  return value ? 'yes' : 'no';
}

function sayFlag(word: string): string {
  return word === 'yes' ? listTexts.yes : listTexts.no;
}

function sayAge(days: string): string {
  return days === 'Infinity' ? dataQualityTexts.older : fillText(dataQualityTexts.upTo, { days });
}

/** Which devices a row of the exemptions file fits, as the judgement finds them. */
export function createExemptionTest(exemption: JudgedExemption): (device: ListedDevice) => boolean {
  const { match, value, source, result } = exemption;
  const folded = foldSerialNumber(value);
  const isMatched = (device: ListedDevice): boolean => {
    switch (match) {
      case 'serial':
        return folded !== '' && foldSerialNumber(device.serialNumber ?? '') === folded;
      case 'device_id':
        return device.id === value;
      case 'device_name':
        return device.name === value;
      case 'user':
        return device.user === value;
      default:
        return false;
    }
  };
  return (device) =>
    result !== 'invalid' &&
    (source === '' || device.source === source) &&
    // Not what is not counted for a reason of its own.
    (device.counted || device.excludedBecause === 'exempt') &&
    isMatched(device);
}
