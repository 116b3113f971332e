/** The groups: in numbers, and the members of the one that is chosen. */
import type { GroupData, PageData } from '../data.ts';
import { columns, fill, lists, number, platformTitle, groups as texts } from '../texts.ts';
import { host, meanings, type Open } from './devices.ts';
import { element, outside } from './dom.ts';
import type { Column } from './grid.ts';
import { list } from './list.ts';
import { flagAt, wordAt } from './store.ts';

export function groupLists(data: PageData, open: Open): void {
  const place = host('groups');
  if (data.groups.length === 0) {
    place.append(element('p', { class: 'quiet' }, texts.none));
    return;
  }
  const members = element('div');
  const buttons = data.groups.map((group) => {
    const button = element('button', { type: 'button', 'aria-pressed': 'false' }, texts.show);
    button.setAttribute('aria-label', `${texts.show}: ${group.source}, ${group.group}`);
    button.addEventListener('click', () => {
      for (const other of buttons) other.setAttribute('aria-pressed', String(other === button));
      members.replaceChildren();
      memberList(members, group, data, open);
    });
    return button;
  });
  place.append(summary(data, buttons), members);
  buttons[0]?.click();
}

function summary({ groups, platformTitles: titles }: PageData, buttons: readonly HTMLElement[]): HTMLElement {
  const heads = [
    texts.group,
    columns.source,
    texts.kept,
    texts.members,
    texts.joined,
    texts.left,
    texts.differences,
    '',
  ];
  const head = element(
    'tr',
    {},
    ...heads.map((name) => element(name === '' ? 'td' : 'th', name === '' ? {} : { scope: 'col' }, name)),
  );
  const body = groups.map((group, row) =>
    element(
      'tr',
      {},
      element('th', { scope: 'row' }, outside(group.group)),
      element(
        'td',
        {},
        outside(group.source),
        ' ',
        element('span', { class: 'quiet' }, platformTitle(titles, group.platform)),
      ),
      element('td', {}, group.onPlatform ? texts.platform : texts.ours),
      ...[group.members, group.joined, group.left, group.differences].map((count) =>
        element('td', { class: 'figure' }, number(count)),
      ),
      element('td', {}, buttons[row]),
    ),
  );
  const table = element('table', {}, element('thead', {}, head), element('tbody', {}, ...body));
  return element('div', { class: 'scroll-x choices', tabindex: 0, role: 'region', 'aria-label': texts.summary }, table);
}

interface Member {
  /** The device's row; −1 where only the name, or the id, is here. */
  readonly device: number;
  readonly id: string;
  readonly name: string;
  readonly inPlatformGroup: boolean | undefined;
  readonly inPicture: boolean;
  readonly verdict: string;
  readonly why: string;
  readonly change: string;
}

/** Those with something to tell first, then everybody else. */
function membersOf({ rows, rest }: GroupData, { devices }: PageData): Member[] {
  const members: Member[] = rows.device.map((device, row) => ({
    device,
    id: (device === -1 ? rows.id[row] : devices.id[device]) ?? '',
    name: (device === -1 ? rows.name[row] : devices.name[device]) ?? '',
    inPlatformGroup: flagAt(rows.inPlatformGroup, row),
    inPicture: flagAt(rows.inPicture, row) ?? false,
    verdict: wordAt(rows.verdict, row) ?? '',
    why: wordAt(rows.why, row) ?? '',
    change: wordAt(rows.change, row) ?? '',
  }));
  for (const { verdict, why, inPlatformGroup, told, names, unnamed } of rest) {
    const common = { inPlatformGroup: flagAt(inPlatformGroup, 0), inPicture: true, verdict, why, change: 'stayed' };
    for (let at = 0; at < told.length; at += 2) {
      const start = told[at] ?? 0;
      for (let device = start; device < start + (told[at + 1] ?? 0); device += 1) {
        members.push({ device, id: devices.id[device] ?? '', name: devices.name[device] ?? '', ...common });
      }
    }
    let name = '';
    for (const coded of names) {
      name = name.slice(0, coded.charCodeAt(0) - 48) + coded.slice(1);
      members.push({ device: -1, id: '', name, ...common });
    }
    for (const id of unnamed) members.push({ device: -1, id, name: '', ...common });
  }
  return members;
}

function memberList(place: HTMLElement, group: GroupData, data: PageData, open: Open): void {
  const members = membersOf(group, data);
  const word = (key: 'id' | 'name' | 'verdict' | 'why' | 'change') => (row: number) => members[row]?.[key] ?? '';
  const answer = (key: 'inPlatformGroup' | 'inPicture') => (row: number) => {
    const value = members[row]?.[key];
    return value === undefined ? lists.unknown : value ? lists.yes : lists.no;
  };
  const column = (key: string, title: string, width: string, text: (row: number) => string): Column => ({
    ...{ key, title, width, text },
    show: (row) => outside(text(row)),
  });
  place.append(element('h3', {}, texts.rows, ': ', outside(group.group)));
  list(place, {
    ...{ id: 'members', label: `${texts.rows}: ${group.group}`, empty: lists.none, count: lists.shownRows },
    rows: members.map((_, row) => row),
    search: (row) => `${word('name')(row)}\n${word('id')(row)}`,
    open: (row) => (members[row]?.device ?? -1) >= 0 && open(members[row]?.device ?? 0),
    columns: [
      column('name', columns.name, 'minmax(11rem, 2fr)', word('name')),
      column('id', columns.id, '7rem', word('id')),
      column('change', columns.change, '6rem', word('change')),
      column('inPlatformGroup', columns.inPlatformGroup, '10rem', answer('inPlatformGroup')),
      column('inPicture', columns.inPicture, '8rem', answer('inPicture')),
      column('verdict', columns.verdict, '7rem', word('verdict')),
      column('why', columns.why, 'minmax(20rem, 3fr)', word('why')),
    ],
    facets: [
      { key: 'change', label: columns.change, of: word('change') },
      { key: 'verdict', label: columns.verdict, of: word('verdict') },
    ],
    note: meanings(['verdict', columns.verdict]),
  });
  const isShort = group.rest.some(({ names }) => names.length > 0);
  if (isShort) place.append(element('p', { class: 'status' }, fill(texts.namesOnly, {})));
}
