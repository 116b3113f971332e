/** Device rows in lists (needs action, all devices, not counted) with their filters. */

import { devicePlaces } from '../../../../core/facts/device-places.ts';
import type { JudgedExemption } from '../../../../core/facts/judged.ts';
import { isOverdue } from '../../../../core/machine/needs-action.ts';
import { foldSerialNumber } from '../../../../core/machine/serial-numbers.ts';
import { addDays } from '../../../../core/time/calendar.ts';
import { foldUser } from '../../shared/breakdown-list.ts';
import { describeDeviceList, selectDevices } from '../../shared/device-lists.ts';
import { fillText } from '../../shared/format.ts';
import type { DeviceListName } from '../../shared/list.ts';
import { listTexts, columnTitles as titles } from '../../shared/list-texts.ts';
import type { ListedDevice } from '../../shared/page-data.ts';
import { dataQualityTexts } from '../../shared/texts.ts';
import { createGlossaryLinks, requireElement } from '../dom.ts';
import type { Page } from '../load-page-data.ts';
import type { SearchIndex } from '../search-index.ts';
import { type Condition, createOperatingSystemFacet, type Facet } from './facet.ts';
import { List, type ListOptions } from './list.ts';

type DeviceListControls = Pick<
  ListOptions<ListedDevice>,
  'facets' | 'moreFacets' | 'toggles' | 'moreToggles' | 'file' | 'note'
>;

/** Mounts the lists; all devices are searched with the index of the search in the page's head. */
export function mountDeviceLists(page: Page, allDevices: SearchIndex): void {
  for (const [id, controls] of Object.entries(describeControls(page))) {
    const name = id as DeviceListName;
    const isComplete = name === 'all-devices';
    new List(requireElement(`[data-list=${name}]`), {
      ...describeDeviceList(name, page.document),
      ...controls,
      rows: selectDevices(name, isComplete ? page.devices : page.reportedDevices),
      search: isComplete ? allDevices : listSearchedTexts,
      findDevice: (device) => device,
      count: listTexts.shown,
      file: `${controls.file}-${page.document.slot}`,
    });
  }
}

const places = [...devicePlaces, 'osVersion', 'model'];

function describeControls(page: Page): Readonly<Record<DeviceListName, DeviceListControls>> {
  const facets = createDeviceFacets(page);
  const toggles = createToggles(page);
  const { platform, because, proven, unproven, since, user, exemption, valueAge, contactAge, measured } = facets;
  return {
    'needs-action': {
      file: 'needs-action',
      facets: [platform, 'reason', unproven, since],
      moreFacets: ['source', proven, user, ...places],
      toggles: [toggles.isNew, toggles.overdue],
      moreToggles: [toggles.stale, toggles.acknowledged],
      note: createGlossaryLinks(
        ['reason', titles.reason],
        ['status', listTexts.proven],
        ['unproven', titles.unprovenBecause],
      ),
    },
    excluded: {
      file: 'not-counted',
      facets: [because, platform, 'source'],
      note: createGlossaryLinks(['excluded', listTexts.because]),
    },
    'all-devices': {
      file: 'devices',
      facets: ['status', 'counted', unproven, platform, 'reason'],
      moreFacets: [
        ...['source', proven, 'stale', 'silent', 'expected', exemption, user, valueAge, contactAge, measured, because],
        ...places,
      ],
      toggles: [toggles.notSeenRecently],
      note: createGlossaryLinks(['status', titles.status], ['reason', titles.reason]),
    },
  };
}

/** Filters that do not belong to a column. */
function createDeviceFacets({ document: { slot, platformTitles, exemptions } }: Page) {
  return {
    platform: createOperatingSystemFacet(platformTitles),
    because: {
      key: 'because',
      label: listTexts.because,
      read: ({ excludedBecause }) => excludedBecause ?? listTexts.countedYes,
    },
    proven: {
      key: 'proven',
      label: listTexts.proven,
      read: ({ proven }) => (proven ? listTexts.provenYes : listTexts.provenNo),
    },
    unproven: {
      key: 'unprovenBecause',
      label: titles.unprovenBecause,
      read: ({ unprovenBecause }) => unprovenBecause ?? listTexts.provenYes,
    },
    since: {
      key: 'since',
      label: listTexts.missingFor,
      choices: [7, 30, 90].map((days) => {
        const limit = addDays(slot, -days);
        return {
          key: String(days),
          label: fillText(listTexts.daysOrLonger, { days }),
          holds: ({ notInstalledSince = slot }) => notInstalledSince <= limit,
        };
      }),
    },
    user: { key: 'user', label: titles.user, read: ({ user }) => foldUser(user), isOnlyInAddress: true },
    valueAge: { key: 'valueAge', label: listTexts.valueAge, read: ({ valueAge }) => valueAge, say: sayAge },
    contactAge: { key: 'contactAge', label: titles.lastSeenAt, read: ({ contactAge }) => contactAge, say: sayAge },
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
        key: String(index),
        label: exemption.value,
        holds: createExemptionTest(exemption),
      })),
      isOnlyInAddress: true,
    },
  } satisfies Readonly<Record<string, Facet<ListedDevice>>>;
}

function sayAge(days: string): string {
  return days === 'Infinity' ? dataQualityTexts.older : fillText(dataQualityTexts.upTo, { days });
}

function createToggles({ document: { slot, sources, policy } }: Page) {
  // On a source's first run, it is not known how long a device has been missing.
  const firstSources = new Set(sources.filter(({ first }) => first).map(({ name }) => name));
  return {
    stale: { key: 'stale', label: listTexts.stale, holds: ({ stale }) => stale },
    isNew: {
      key: 'new',
      label: listTexts.isNew,
      holds: ({ source, notInstalledSince = slot }) => notInstalledSince === slot && !firstSources.has(source),
    },
    acknowledged: {
      key: 'acknowledged',
      label: listTexts.acknowledged,
      holds: ({ acknowledged }) => acknowledged !== undefined,
    },
    overdue: {
      key: 'overdue',
      label: listTexts.overdue,
      holds: ({ notInstalledSince }) => isOverdue(notInstalledSince, slot, policy),
    },
    // Installed devices whose answer is old or of unknown age.
    notSeenRecently: {
      key: 'not-seen-recently',
      label: listTexts.notSeenRecently,
      holds: ({ counted, status, stale }) => counted && status === 'Installed' && stale,
    },
  } satisfies Readonly<Record<string, Condition<ListedDevice>>>;
}

function listSearchedTexts(device: ListedDevice): readonly (string | undefined)[] {
  const { name, serialNumber, user, id, model, osVersion, value, detail, reason, source } = device;
  return [name, serialNumber, user, id, model, osVersion, value, detail, reason, source];
}

/** Makes a test for the devices that a row of the exemptions file fits, with the rules of judgement. */
export function createExemptionTest(exemption: JudgedExemption): (device: ListedDevice) => boolean {
  const { match, value, source, result } = exemption;
  const folded = foldSerialNumber(value);
  const tests: Readonly<Record<string, (device: ListedDevice) => boolean>> = {
    serial: ({ serialNumber = '' }) => folded !== '' && foldSerialNumber(serialNumber) === folded,
    device_id: ({ id }) => id === value,
    device_name: ({ name }) => name === value,
    user: ({ user }) => user === value,
  };
  const isMatched = Object.hasOwn(tests, match) ? tests[match] : undefined;
  return (device) =>
    isMatched !== undefined &&
    result !== 'invalid' &&
    (source === '' || device.source === source) &&
    // Excludes devices with an exclusion of their own.
    (device.counted || device.excludedBecause === 'exempt') &&
    isMatched(device);
}
