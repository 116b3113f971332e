/** The page's script: puts times into the reader's zone, unpacks the lists, and listens. */
import { lists } from '../texts.ts';
import { deviceCard } from './card.ts';
import { changeList, exemptionList } from './changes.ts';
import { deviceLists } from './devices.ts';
import { find, timeElement } from './dom.ts';
import { groupLists } from './groups.ts';
import { load } from './store.ts';
import { themeSwitch } from './theme.ts';
import { trendCharts } from './trend.ts';

themeSwitch();
for (const shown of document.querySelectorAll('time')) shown.replaceWith(timeElement(Date.parse(shown.dateTime)));
const data = await load();
const open = deviceCard(data);
find('#excluded').textContent = lists.excluded;
deviceLists(data, open);
changeList(data, open);
groupLists(data, open);
exemptionList(data);
trendCharts(data);
document.documentElement.dataset.ready = 'true';
performance.mark('muster-ready');
