/** What changed since the last good night, and the exemptions: lists that are not devices themselves. */
import type { PageData } from '../data.ts';
import { lists, platformTitle, sound, changes as texts, columns as titles } from '../texts.ts';
import { host, meanings, type Open } from './devices.ts';
import { element, outside } from './dom.ts';
import type { Column } from './grid.ts';
import { list } from './list.ts';
import { wordAt } from './store.ts';

type Key = 'change' | 'source' | 'platform' | 'from' | 'to' | 'reason';

export function changeList(data: PageData, open: Open): void {
  const { changes, devices } = data;
  const rows = changes.device.map((_, row) => row);
  const at = (row: number) => changes.device[row] ?? -1;
  const known = (key: 'id' | 'name' | 'serialNumber') => (row: number) =>
    (at(row) === -1 ? changes[key][row] : devices[key][at(row)]) ?? '';
  const word = (key: Key) => (row: number) => wordAt(changes[key], row) ?? '';
  const column = (key: string, title: string, width: string, text: (row: number) => string): Column => ({
    ...{ key, title, width, text },
    show: (row) => outside(text(row)),
  });
  list(host('changes'), {
    ...{ id: 'changes', label: texts.title, rows, empty: texts.none, count: lists.shownRows },
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
        label: lists.platform,
        of: word('platform'),
        say: (platform: string) => platformTitle(data.platformTitles, platform),
      },
      { key: 'reason', label: titles.why, of: word('reason') },
    ],
    note: meanings(['change', texts.kind], ['reason', lists.reason], ['excluded', lists.because]),
  });
}

export function exemptionList({ exemptions }: PageData): void {
  const text = (key: 'match' | 'value' | 'source' | 'reason' | 'owner' | 'expires' | 'result') => (row: number) =>
    exemptions[row]?.[key] ?? '';
  const column = (key: Parameters<typeof text>[0], title: string, width: string): Column => ({
    ...{ key, title, width, text: text(key) },
    show: (row) => outside(text(key)(row)),
  });
  list(host('exemptions'), {
    ...{ id: 'exemptions', label: sound.exemptions, empty: sound.noExemptions, count: lists.shownRows },
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
        ...{ key: 'devices', title: titles.devices, width: '6rem' },
        text: (row) => String(exemptions[row]?.devices ?? 0),
        show: (row) => element('span', {}, String(exemptions[row]?.devices ?? 0)),
        sort: (row) => exemptions[row]?.devices,
      },
    ],
    facets: [{ key: 'result', label: titles.result, of: text('result') }],
    note: meanings(['result', titles.result]),
  });
}
