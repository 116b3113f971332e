/** The changes since the last complete run, and the exemptions: lists whose rows are not devices. */
import type { PageData } from '../page-data.ts';
import {
  dataQualityTexts,
  formatNumber,
  formatPlatform,
  listTexts,
  changeTexts as texts,
  columnTitles as titles,
} from '../texts.ts';
import { toRowsAddress } from './address.ts';
import { type CardOpener, createGlossaryLinks, requireListHost } from './devices.ts';
import { createElement, createIsolatedText } from './dom.ts';
import { countExemptDevices } from './exempt-devices.ts';
import type { GridColumn } from './grid.ts';
import { mountList } from './list.ts';
import { readWord } from './unpack.ts';

type ChangeKey = 'change' | 'source' | 'platform' | 'from' | 'to' | 'reason';

export function mountChangeList(data: PageData, open: CardOpener): void {
  const { changes, devices } = data;
  const rows = changes.device.map((_, row) => row);
  const at = (row: number) => changes.device[row] ?? -1;
  const known = (key: 'id' | 'name' | 'serialNumber') => (row: number) =>
    (at(row) === -1 ? changes[key][row] : devices[key][at(row)]) ?? '';
  const word = (key: ChangeKey) => (row: number) => readWord(changes[key], row) ?? '';
  const column = (key: string, title: string, width: string, text: (row: number) => string): GridColumn => ({
    key,
    title,
    width,
    text,
    show: (row) => createIsolatedText(text(row)),
  });
  mountList(requireListHost('changes'), {
    id: 'changes',
    file: `changes-${data.slot}`,
    label: texts.title,
    rows,
    empty: texts.none,
    count: listTexts.shownRows,
    search: (row) => [known('name')(row), known('serialNumber')(row), known('id')(row), word('source')(row)].join('\n'),
    open: (row) => at(row) >= 0 && open(at(row)),
    columns: [
      column('change', titles.change, '10rem', word('change')),
      column('name', titles.name, 'minmax(12rem, 2fr)', known('name')),
      column('serialNumber', titles.serialNumber, 'minmax(8rem, 1fr)', known('serialNumber')),
      column('from', titles.from, '8rem', word('from')),
      column('to', titles.to, '8rem', word('to')),
      column('reason', titles.why, 'minmax(9rem, 1fr)', word('reason')),
      column('source', titles.source, 'minmax(7rem, 1fr)', word('source')),
      column('id', titles.id, 'minmax(8rem, 1fr)', known('id')),
    ],
    hidden: ['id'],
    facets: [
      { key: 'change', label: texts.kind, of: word('change') },
      {
        key: 'platform',
        label: listTexts.platform,
        of: word('platform'),
        say: (platform: string) => formatPlatform(data.platformTitles, platform),
      },
      { key: 'source', label: titles.source, of: word('source') },
      { key: 'reason', label: titles.why, of: word('reason') },
      {
        key: 'flow',
        label: texts.flow,
        choices: (['joined', 'left'] as const).map((flow) => ({
          word: flow,
          label: texts[flow],
          holds: (row: number) => [flow, 'both'].includes(readWord(changes.flow, row) ?? ''),
        })),
      },
    ],
    note: createGlossaryLinks(['change', texts.kind], ['reason', listTexts.reason], ['excluded', listTexts.because]),
  });
}

export function mountExemptionList(data: PageData): void {
  const { exemptions, slot } = data;
  const text = (key: 'match' | 'value' | 'source' | 'reason' | 'owner' | 'expires' | 'result') => (row: number) =>
    exemptions[row]?.[key] ?? '';
  const column = (key: Parameters<typeof text>[0], title: string, width: string): GridColumn => ({
    key,
    title,
    width,
    text: text(key),
    show: (row) => createIsolatedText(text(key)(row)),
  });
  mountList(requireListHost('exemptions'), {
    id: 'exemptions',
    file: `exemptions-${slot}`,
    label: dataQualityTexts.exemptions,
    empty: dataQualityTexts.noExemptions,
    count: listTexts.shownRows,
    rows: exemptions.map((_, row) => row),
    search: (row) => Object.values(exemptions[row] ?? {}).join('\n'),
    columns: [
      column('result', titles.result, '8rem'),
      column('match', titles.match, '8rem'),
      column('value', titles.value, 'minmax(10rem, 1.5fr)'),
      column('source', titles.source, '8rem'),
      column('reason', titles.why, 'minmax(10rem, 2fr)'),
      column('owner', titles.owner, 'minmax(8rem, 1fr)'),
      column('expires', titles.expires, '8rem'),
      {
        key: 'devices',
        title: titles.devices,
        width: '6rem',
        text: (row) => String(exemptions[row]?.devices ?? 0),
        show: (row) => createDeviceCount(data, row),
        sort: (row) => exemptions[row]?.devices,
      },
    ],
    facets: [{ key: 'result', label: titles.result, of: text('result') }],
    note: createGlossaryLinks(['result', titles.result]),
  });
}

/** No link where the page does not know which devices the row fits: without users, not whom a user's row means. */
function createDeviceCount(data: PageData, row: number): HTMLElement {
  const exemption = data.exemptions[row];
  const count = exemption?.devices ?? 0;
  if (exemption === undefined || (exemption.match === 'user' && countExemptDevices(data, exemption) !== count)) {
    return createElement('span', {}, formatNumber(count));
  }
  const rows = `all-devices.exemption=${row}`;
  return createElement('a', { href: toRowsAddress(rows), 'data-rows': rows }, formatNumber(count));
}
