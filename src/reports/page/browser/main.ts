/** The page's script: shows times in the reader's time zone, unpacks the lists, and handles events. */
import { listTexts } from '../texts.ts';
import { mountDeviceCard } from './card.ts';
import { mountChangeList, mountExemptionList } from './changes.ts';
import { mountDeviceLists } from './devices.ts';
import { createTimeElement, requireElement } from './dom.ts';
import { mountGroupLists } from './groups.ts';
import { mountThemeSwitch } from './theme.ts';
import { mountTrendCharts } from './trend.ts';
import { loadPageData } from './unpack.ts';

mountThemeSwitch();
for (const shown of document.querySelectorAll('time')) {
  shown.replaceWith(createTimeElement(Date.parse(shown.dateTime)));
}
const pageData = await loadPageData();
const openCard = mountDeviceCard(pageData);
requireElement('#excluded').textContent = listTexts.excluded;
mountDeviceLists(pageData, openCard);
mountChangeList(pageData, openCard);
mountGroupLists(pageData, openCard);
mountExemptionList(pageData);
mountTrendCharts(pageData);
document.documentElement.dataset.ready = 'true';
performance.mark('muster-ready');
