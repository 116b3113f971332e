/** The page's script: shows times in the reader's time zone, fills the lists, and handles events. */

import { fillText } from '../shared/format.ts';
import { pageTexts } from '../shared/texts.ts';
import { mountAddress, scrollToPlace } from './address.ts';
import { mountDeviceCard } from './card/card.ts';
import { createTimeElement, requireElement } from './dom.ts';
import { mountFileLinks } from './files.ts';
import { DeviceFinder } from './find.ts';
import { listFoundTexts } from './find-results.ts';
import { mountBreakdown } from './lists/breakdown.ts';
import { mountChangeList } from './lists/change-list.ts';
import { mountDeviceLists } from './lists/device-lists.ts';
import { mountExemptionList, mountGroupLists, mountUnenrolledList } from './lists/report-lists.ts';
import { loadPage, type Page } from './load-page-data.ts';
import { SearchIndex } from './search-index.ts';
import { mountTrendCharts } from './trend.ts';

mountTroubleNotice();
mountThemeSwitch();
for (const shown of document.querySelectorAll('time')) {
  shown.replaceWith(createTimeElement(Date.parse(shown.dateTime)));
}
mountAddress();
mountParts(await loadPage());
scrollToPlace();
document.documentElement.dataset.ready = 'true';
performance.mark('muster-ready');

/** Mounts the switch between light and dark; the system's setting applies until the reader chooses. */
function mountThemeSwitch(): void {
  const choice = requireElement('#theme') as HTMLSelectElement;
  const meta = requireElement('meta[name=color-scheme]');
  const storage = findStorage();
  choice.value = storage?.getItem('muster-theme') || choice.value;
  meta.setAttribute('content', choice.value);
  choice.addEventListener('change', () => {
    meta.setAttribute('content', choice.value);
    storage?.setItem('muster-theme', choice.value);
  });
}

/** The storage; undefined where a browser stores nothing for local files, so that a choice lasts as long as the page. */
function findStorage(): Storage | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}

/** Mounts the parts; one that fails does not stop the others. */
function mountParts(page: Page): void {
  const { devices } = page;
  const index = new SearchIndex(devices.length, (row) => listFoundTexts(devices[row] ?? {}));
  const parts = [
    () => mountDeviceCard(page),
    () => new DeviceFinder(page, index),
    () => mountDeviceLists(page, index),
    () => mountBreakdown(page),
    () => mountChangeList(page),
    () => mountGroupLists(page),
    () => mountExemptionList(page),
    () => mountUnenrolledList(page),
    () => mountTrendCharts(page.document),
    () => mountFileLinks(page.document),
  ];
  for (const mount of parts) {
    try {
      mount();
    } catch (error) {
      showTrouble(error);
    }
  }
}

/** Shows exceptions on the page, so that a reader does not mistake a list that was never filled for an empty one. */
function mountTroubleNotice(): void {
  addEventListener('error', ({ error, message }) => showTrouble(error ?? message));
  addEventListener('unhandledrejection', ({ reason }) => showTrouble(reason));
}

function showTrouble(reason: unknown): void {
  const notice = requireElement('#trouble');
  const message = reason instanceof Error ? `${reason.name}: ${reason.message}` : String(reason);
  notice.textContent = fillText(pageTexts.trouble, { message });
  notice.hidden = false;
}
