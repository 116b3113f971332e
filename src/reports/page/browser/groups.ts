/** The groups: in numbers, and the members of the selected one. */
import type { GroupData, PageData } from '../page-data.ts';
import { columnTitles, formatNumber, formatPlatform, listTexts, groupTexts as texts } from '../texts.ts';
import { onAddressChange, toRowsAddress, writeParametersOf } from './address.ts';
import { type CardOpener, createGlossaryLinks, requireListHost } from './devices.ts';
import { createElement, createIsolatedText } from './dom.ts';
import type { GridColumn } from './grid.ts';
import { mountList } from './list.ts';
import { readFlag, readWord } from './unpack.ts';

export function mountGroupLists(data: PageData, open: CardOpener): void {
  const host = requireListHost('groups');
  if (data.groups.length === 0) {
    host.replaceChildren(createElement('p', { class: 'quiet' }, texts.none));
    return;
  }
  const members = createElement('div');
  const buttons = data.groups.map((group) => {
    const button = createElement('button', { type: 'button', 'aria-pressed': 'false' }, texts.show);
    button.setAttribute('aria-label', `${texts.show}: ${group.source}, ${group.group}`);
    button.addEventListener('click', () => {
      writeParametersOf('members', [['group', toGroupAddress(group)]]);
      select(group);
    });
    return button;
  });
  let selected: GroupData | undefined;
  const select = (group: GroupData | undefined) => {
    if (group === undefined || group === selected) {
      return;
    }
    selected = group;
    for (const [index, button] of buttons.entries()) {
      button.setAttribute('aria-pressed', String(data.groups[index] === group));
    }
    members.replaceChildren();
    mountMemberList(members, group, data, open);
  };
  host.replaceChildren(createGroupSummary(data, buttons), members);
  onAddressChange((parameters) => {
    const wanted = parameters.get('members.group');
    select(data.groups.find((group) => toGroupAddress(group) === wanted) ?? selected ?? data.groups[0]);
  });
}

function toGroupAddress({ source, group }: GroupData): string {
  return `${source}/${group}`;
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
      createElement('td', { class: 'keeper' }, ...createKeeperText(group)),
      ...listFigures(group).map(([count, filter]) => {
        const rows = `members.group=${encodeURIComponent(toGroupAddress(group))}&${filter}`;
        const link = createElement('a', { href: toRowsAddress(rows), 'data-rows': rows }, formatNumber(count));
        return createElement('td', { class: 'figure' }, link);
      }),
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

/** Each figure with the filter of the members that it counts. */
function listFigures({ members, joined, left, differences }: GroupData): [count: number, filter: string][] {
  return [
    [members, 'members.inPicture=yes'],
    [joined, 'members.change=joined'],
    [left, 'members.change=left'],
    [differences, 'members.on=differs'],
  ];
}

function createKeeperText({ onPlatform, problem = '' }: GroupData): (string | Node)[] {
  if (onPlatform !== undefined) {
    return [onPlatform ? texts.platform : texts.ours];
  }
  return [texts.notRead, createElement('span', { class: 'quiet below' }, createIsolatedText(problem))];
}

interface MemberRow {
  /** The device's row; −1 where the inventory does not know it. */
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
  for (const { verdict, why, inPlatformGroup, deviceRanges } of rest) {
    const common = { inPlatformGroup: readFlag(inPlatformGroup, 0), inPicture: true, verdict, why, change: 'stayed' };
    // Rows of devices, as start and length.
    for (let at = 0; at < deviceRanges.length; at += 2) {
      const start = deviceRanges[at] ?? 0;
      for (let device = start; device < start + (deviceRanges[at + 1] ?? 0); device += 1) {
        members.push({ device, id: devices.id[device] ?? '', name: devices.name[device] ?? '', ...common });
      }
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
  const list = createElement('div');
  host.append(createElement('h3', {}, texts.rows, ': ', createIsolatedText(group.group)), list);
  mountList(list, {
    id: 'members',
    file: `members-${data.slot}`,
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
      {
        key: 'inPicture',
        label: columnTitles.inPicture,
        of: (row) => (members[row]?.inPicture ? 'yes' : 'no'),
        say: (flag) => (flag === 'yes' ? listTexts.yes : listTexts.no),
        isSecondary: true,
      },
    ],
    toggles: [
      {
        key: 'differs',
        label: texts.differs,
        holds: (row) => ['missing', 'unexpected'].includes(members[row]?.verdict ?? ''),
      },
    ],
    note: createGlossaryLinks(['verdict', columnTitles.verdict]),
  });
}
