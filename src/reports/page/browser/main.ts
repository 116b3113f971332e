/** The page's script: shows times in the reader's time zone, unpacks the lists, and handles events. */
import type { PageData } from '../page-data.ts';
import { mountAddress, scrollToPlace } from './address.ts';
import { mountBreakdown } from './breakdown.ts';
import { mountDeviceCard } from './card.ts';
import { mountChangeList, mountExemptionList } from './changes.ts';
import { mountComparison } from './compare.ts';
import { createDeviceIndex } from './device-index.ts';
import { mountDeviceLists } from './devices.ts';
import { createTimeElement } from './dom.ts';
import { mountFileLinks } from './files.ts';
import { mountFind } from './find.ts';
import { mountGroupLists } from './groups.ts';
import { mountThemeSwitch } from './theme.ts';
import { mountTrendCharts } from './trend.ts';
import { mountTroubleNotice, showTrouble } from './trouble.ts';
import { loadPageData } from './unpack.ts';

mountTroubleNotice();
mountThemeSwitch();
for (const shown of document.querySelectorAll('time')) {
  shown.replaceWith(createTimeElement(Date.parse(shown.dateTime)));
}
mountAddress();
mountParts(await loadPageData());
scrollToPlace();
document.documentElement.dataset.ready = 'true';
performance.mark('muster-ready');

/** A part that fails leaves the others alone. */
function mountParts(data: PageData): void {
  const index = createDeviceIndex(data);
  const openCard = mountDeviceCard(data);
  const parts = [
    () => mountFind(data, index, openCard),
    () => mountDeviceLists(data, index, openCard),
    () => mountBreakdown(data),
    () => mountChangeList(data, openCard),
    () => mountComparison(data, openCard),
    () => mountGroupLists(data, openCard),
    () => mountExemptionList(data),
    () => mountTrendCharts(data),
    () => mountFileLinks(data),
  ];
  for (const mount of parts) {
    try {
      mount();
    } catch (error) {
      showTrouble(error);
    }
  }
}
