/** The changes since the last complete run, and the exemptions. */
import type { JudgedExemption } from '../../../../core/facts/judged.ts';
import { formatPlatform } from '../../shared/format.ts';
import { toRows } from '../../shared/list.ts';
import { listTexts, changeTexts as texts, columnTitles as titles } from '../../shared/list-texts.ts';
import { changeList, describeExemptionList } from '../../shared/report-lists.ts';
import { createGlossaryLinks, requireListHost } from '../dom.ts';
import type { ListedChange, Page } from '../load-page-data.ts';
import { createExemptionTest } from './device-lists.ts';
import { List } from './list.ts';

export function mountChangeList({ changes, document: { slot, platformTitles } }: Page): void {
  new List<ListedChange>(requireListHost('changes'), {
    ...changeList,
    rows: changes,
    search: ({ name, serialNumber, id, source }) => [name, serialNumber, id, source],
    findDevice: (change) => change,
    file: `changes-${slot}`,
    facets: [
      'change',
      {
        key: 'platform',
        label: titles.platform,
        read: ({ platform }) => platform,
        say: (platform) => formatPlatform(platformTitles, platform),
      },
      'source',
      'reason',
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
    note: createGlossaryLinks(['change', titles.change], ['reason', titles.reason], ['excluded', listTexts.because]),
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
    search: (exemption) => Object.values(exemption).map(String),
    file: `exemptions-${slot}`,
    facets: ['result'],
    note: createGlossaryLinks(['result', titles.result]),
  });
}
