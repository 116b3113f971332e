/** The changes since the last complete run, and the exemptions. */
import type { JudgedExemption } from '../../../../core/facts/judged.ts';
import { changeList, describeExemptionList } from '../../shared/change-lists.ts';
import { formatPlatform } from '../../shared/format.ts';
import { toRows } from '../../shared/list.ts';
import { listTexts, changeTexts as texts, columnTitles as titles } from '../../shared/list-texts.ts';
import { createGlossaryLinks, requireListHost } from '../dom.ts';
import type { ListedChange, Page } from '../load-page-data.ts';
import { SearchIndex } from '../search-index.ts';
import { createExemptionTest } from './device-facets.ts';
import { List } from './list.ts';

export function mountChangeList({ changes, document: { slot, platformTitles } }: Page): void {
  new List<ListedChange>(requireListHost('changes'), {
    ...changeList,
    rows: changes,
    index: new SearchIndex(changes.length, (index) => {
      const { name, serialNumber, id, source } = changes[index] ?? {};
      return [name, serialNumber, id, source];
    }),
    count: listTexts.shownRows,
    findDevice: (change) => change,
    file: `changes-${slot}`,
    facets: [
      { key: 'change', label: texts.kind, read: ({ change }) => change },
      {
        key: 'platform',
        label: listTexts.platform,
        read: ({ platform }) => platform,
        say: (platform) => formatPlatform(platformTitles, platform),
      },
      { key: 'source', label: titles.source, read: ({ source }) => source },
      { key: 'reason', label: titles.why, read: ({ reason }) => reason },
      {
        key: 'flow',
        label: texts.flow,
        choices: (['joined', 'left'] as const).map((word) => ({
          word,
          label: texts[word],
          holds: ({ flow }) => flow === word || flow === 'both',
        })),
      },
    ],
    note: createGlossaryLinks(['change', texts.kind], ['reason', listTexts.reason], ['excluded', listTexts.because]),
  });
}

export function mountExemptionList({ document: { exemptions, slot }, devices }: Page): void {
  /** Nothing where the page does not know which devices the row fits: without users, not whom a user's row means. */
  const countDevices = (exemption: JudgedExemption) => {
    const isKnown =
      exemption.match !== 'user' || devices.filter(createExemptionTest(exemption)).length === exemption.devices;
    return isKnown ? toRows('all-devices', { exemption: String(exemptions.indexOf(exemption)) }) : undefined;
  };
  new List(requireListHost('exemptions'), {
    ...describeExemptionList(countDevices),
    rows: exemptions,
    index: new SearchIndex(exemptions.length, (index) => Object.values(exemptions[index] ?? {}).map(String)),
    count: listTexts.shownRows,
    file: `exemptions-${slot}`,
    facets: [{ key: 'result', label: titles.result, read: ({ result }) => result }],
    note: createGlossaryLinks(['result', titles.result]),
  });
}
