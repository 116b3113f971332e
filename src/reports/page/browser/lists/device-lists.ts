/** Device rows in lists: needs action, not seen recently, all devices, not counted. */
import { isOverdue } from '../../../../core/device/needs-action.ts';
import { describeDeviceList, selectDevices } from '../../shared/device-lists.ts';
import type { DeviceListName } from '../../shared/list.ts';
import { listTexts } from '../../shared/list-texts.ts';
import type { ListedDevice } from '../../shared/page-data.ts';
import { createGlossaryLinks, requireListHost } from '../dom.ts';
import type { Page } from '../load-page-data.ts';
import { SearchIndex } from '../search-index.ts';
import { createDeviceFacets } from './device-facets.ts';
import type { Facet, Toggle } from './facet.ts';
import { List } from './list.ts';

interface DeviceListControls {
  readonly facets: readonly Facet<ListedDevice>[];
  readonly toggles?: readonly Toggle<ListedDevice>[];
  /** The groups of the glossary that explain its words. */
  readonly glossary: readonly (readonly [group: string, name: string])[];
}

/** All devices are found by what identifies them, with the index of the search in the page's head. */
export function mountDeviceLists(page: Page, allDevices: SearchIndex): void {
  for (const [id, { facets, toggles = [], glossary }] of Object.entries(describeControls(page))) {
    const name = id as DeviceListName;
    const isComplete = name === 'all-devices';
    const rows = selectDevices(name, isComplete ? page.devices : page.reportedDevices);
    new List(requireListHost(name), {
      ...describeDeviceList(name, page.document),
      rows,
      index: isComplete ? allDevices : new SearchIndex(rows.length, (index) => listSearchedTexts(rows[index])),
      facets,
      toggles,
      findDevice: (device) => device,
      count: listTexts.shown,
      note: createGlossaryLinks(...glossary),
      file: `${fileNames[name]}-${page.document.slot}`,
    });
  }
}

const fileNames: Readonly<Record<DeviceListName, string>> = {
  'needs-action': 'needs-action',
  'not-seen-recently': 'not-seen-recently',
  excluded: 'not-counted',
  'all-devices': 'devices',
};

function describeControls(page: Page): Readonly<Record<DeviceListName, DeviceListControls>> {
  const facets = createDeviceFacets(page);
  const secondary = (...all: readonly Facet<ListedDevice>[]) => all.map((facet) => ({ ...facet, isSecondary: true }));
  const places = [facets.site, facets.department, facets.building, facets.category, facets.osVersion, facets.model];
  const ages = [facets.valueAge, facets.contactAge, facets.measured];
  return {
    'needs-action': {
      facets: [
        facets.platform,
        facets.source,
        facets.reason,
        facets.proven,
        facets.since,
        ...secondary(...places),
        facets.user,
      ],
      toggles: createToggles(page),
      glossary: [
        ['reason', listTexts.reason],
        ['status', listTexts.proven],
      ],
    },
    'not-seen-recently': {
      facets: [facets.platform, facets.source],
      glossary: [['status', listTexts.stale]],
    },
    excluded: {
      facets: [facets.because, facets.platform, facets.source],
      glossary: [['excluded', listTexts.because]],
    },
    'all-devices': {
      facets: [
        facets.status,
        facets.counted,
        facets.proven,
        facets.platform,
        facets.source,
        facets.reason,
        facets.stale,
        facets.exemption,
        ...secondary(...ages, facets.because, ...places),
      ],
      glossary: [
        ['status', listTexts.status],
        ['reason', listTexts.reason],
      ],
    },
  };
}

function createToggles({ document: { slot, sources, policy } }: Page): Toggle<ListedDevice>[] {
  // How long a device has been missing is not known on a source's first run.
  const firstSources = new Set(sources.filter(({ first }) => first).map(({ name }) => name));
  return [
    { key: 'stale', label: listTexts.stale, holds: ({ stale }) => stale },
    {
      key: 'new',
      label: listTexts.isNew,
      holds: ({ source, notInstalledSince = slot }) => notInstalledSince === slot && !firstSources.has(source),
    },
    { key: 'acknowledged', label: listTexts.acknowledged, holds: ({ acknowledged }) => acknowledged !== undefined },
    {
      key: 'overdue',
      label: listTexts.overdue,
      holds: ({ notInstalledSince }) => isOverdue(notInstalledSince, slot, policy),
    },
  ];
}

function listSearchedTexts(device: ListedDevice | undefined): readonly (string | undefined)[] {
  if (device === undefined) {
    return [];
  }
  const { name, serialNumber, user, id, model, osVersion, value, detail, reason, source } = device;
  return [name, serialNumber, user, id, model, osVersion, value, detail, reason, source];
}
