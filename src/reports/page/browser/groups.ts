/** The groups: in numbers, and the members of the selected one. */
import type { GroupData, PageData } from '../page-data.ts';
import { columnTitles, fillText, formatNumber, formatPlatform, listTexts, groupTexts as texts } from '../texts.ts';
import { type CardOpener, createGlossaryLinks, requireListHost } from './devices.ts';
import { createElement, createIsolatedText } from './dom.ts';
import type { GridColumn } from './grid.ts';
import { mountList } from './list.ts';
import { readFlag, readWord } from './unpack.ts';

export function mountGroupLists(data: PageData, open: CardOpener): void {
  const host = requireListHost('groups');
  if (data.groups.length === 0) {
    host.append(createElement('p', { class: 'quiet' }, texts.none));
    return;
  }
  const members = createElement('div');
  const buttons = data.groups.map((group) => {
    const button = createElement('button', { type: 'button', 'aria-pressed': 'false' }, texts.show);
    button.setAttribute('aria-label', `${texts.show}: ${group.source}, ${group.group}`);
    button.addEventListener('click', () => {
      for (const other of buttons) {
        other.setAttribute('aria-pressed', String(other === button));
      }
      members.replaceChildren();
      mountMemberList(members, group, data, open);
    });
    return button;
  });
  host.append(createGroupSummary(data, buttons), members);
  buttons[0]?.click();
}

function createGroupSummary(
  { groups, platformTitles: titles }: PageData,
  buttons: readonly HTMLElement[],
): HTMLElement {
  const heads = [
    texts.group,
    columnTitles.source,
    texts.kept,
    texts.members,
    texts.joined,
    texts.left,
    texts.differences,
    '',
  ];
  const head = createElement(
    'tr',
    {},
    ...heads.map((name) => createElement(name === '' ? 'td' : 'th', name === '' ? {} : { scope: 'col' }, name)),
  );
  const body = groups.map((group, row) =>
    createElement(
      'tr',
      {},
      createElement('th', { scope: 'row' }, createIsolatedText(group.group)),
      createElement(
        'td',
        {},
        createIsolatedText(group.source),
        ' ',
        createElement('span', { class: 'quiet' }, formatPlatform(titles, group.platform)),
      ),
      createElement('td', { class: 'keeper' }, ...describeKeeper(group)),
      ...[group.members, group.joined, group.left, group.differences].map((count) =>
        createElement('td', { class: 'figure' }, formatNumber(count)),
      ),
      createElement('td', {}, buttons[row]),
    ),
  );
  const table = createElement('table', {}, createElement('thead', {}, head), createElement('tbody', {}, ...body));
  return createElement(
    'div',
    { class: 'scroll-x choices', tabindex: 0, role: 'region', 'aria-label': texts.summary },
    table,
  );
}

function describeKeeper({ onPlatform, problem = '' }: GroupData): (string | Node)[] {
  if (onPlatform !== undefined) {
    return [onPlatform ? texts.platform : texts.ours];
  }
  return [texts.notRead, createElement('span', { class: 'quiet below' }, createIsolatedText(problem))];
}

interface MemberRow {
  /** The device's row; −1 where only the name, or the id, is known. */
  readonly device: number;
  readonly id: string;
  readonly name: string;
  readonly inPlatformGroup: boolean | undefined;
  readonly inPicture: boolean;
  readonly verdict: string;
  readonly why: string;
  readonly change: string;
}

/** Members with a change or a difference first, then all others. */
function unpackMembers({ rows, rest }: GroupData, { devices }: PageData): MemberRow[] {
  const members: MemberRow[] = rows.device.map((device, row) => ({
    device,
    id: (device === -1 ? rows.id[row] : devices.id[device]) ?? '',
    name: (device === -1 ? rows.name[row] : devices.name[device]) ?? '',
    inPlatformGroup: readFlag(rows.inPlatformGroup, row),
    inPicture: readFlag(rows.inPicture, row) ?? false,
    verdict: readWord(rows.verdict, row) ?? '',
    why: readWord(rows.why, row) ?? '',
    change: readWord(rows.change, row) ?? '',
  }));
  for (const { verdict, why, inPlatformGroup, deviceRanges, names, unnamed } of rest) {
    const common = { inPlatformGroup: readFlag(inPlatformGroup, 0), inPicture: true, verdict, why, change: 'stayed' };
    for (let at = 0; at < deviceRanges.length; at += 2) {
      const start = deviceRanges[at] ?? 0;
      for (let device = start; device < start + (deviceRanges[at + 1] ?? 0); device += 1) {
        members.push({ device, id: devices.id[device] ?? '', name: devices.name[device] ?? '', ...common });
      }
    }
    let name = '';
    for (const coded of names) {
      name = name.slice(0, coded.charCodeAt(0) - 48) + coded.slice(1);
      members.push({ device: -1, id: '', name, ...common });
    }
    for (const id of unnamed) {
      members.push({ device: -1, id, name: '', ...common });
    }
  }
  return members;
}

function mountMemberList(host: HTMLElement, group: GroupData, data: PageData, open: CardOpener): void {
  const members = unpackMembers(group, data);
  const word = (key: 'id' | 'name' | 'verdict' | 'why' | 'change') => (row: number) => members[row]?.[key] ?? '';
  const answer = (key: 'inPlatformGroup' | 'inPicture') => (row: number) => {
    const value = members[row]?.[key];
    return value === undefined ? listTexts.unknown : value ? listTexts.yes : listTexts.no;
  };
  const column = (key: string, title: string, width: string, text: (row: number) => string): GridColumn => ({
    key,
    title,
    width,
    text,
    show: (row) => createIsolatedText(text(row)),
  });
  host.append(createElement('h3', {}, texts.rows, ': ', createIsolatedText(group.group)));
  mountList(host, {
    id: 'members',
    label: `${texts.rows}: ${group.group}`,
    empty: listTexts.none,
    count: listTexts.shownRows,
    rows: members.map((_, row) => row),
    search: (row) => `${word('name')(row)}\n${word('id')(row)}`,
    open: (row) => (members[row]?.device ?? -1) >= 0 && open(members[row]?.device ?? 0),
    columns: [
      column('name', columnTitles.name, 'minmax(11rem, 2fr)', word('name')),
      column('id', columnTitles.id, '7rem', word('id')),
      column('change', columnTitles.change, '6rem', word('change')),
      column('inPlatformGroup', columnTitles.inPlatformGroup, '10rem', answer('inPlatformGroup')),
      column('inPicture', columnTitles.inPicture, '8rem', answer('inPicture')),
      column('verdict', columnTitles.verdict, '7rem', word('verdict')),
      column('why', columnTitles.why, 'minmax(20rem, 3fr)', word('why')),
    ],
    facets: [
      { key: 'change', label: columnTitles.change, of: word('change') },
      { key: 'verdict', label: columnTitles.verdict, of: word('verdict') },
    ],
    note: createGlossaryLinks(['verdict', columnTitles.verdict]),
  });
  const isShort = group.rest.some(({ names }) => names.length > 0);
  if (isShort) {
    host.append(createElement('p', { class: 'status' }, fillText(texts.namesOnly, {})));
  }
}
