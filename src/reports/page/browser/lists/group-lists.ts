/** The groups: in numbers, and the members of the selected one. */
import type { GroupReport } from '../../../document/report-document.ts';
import { describeGroupList, describeMemberList, type MemberRow, toGroupAddress } from '../../shared/group-lists.ts';
import { listTexts, groupTexts as texts, columnTitles as titles } from '../../shared/list-texts.ts';
import { onAddressChange, writeParametersOf } from '../address.ts';
import { createElement, createGlossaryLinks, createIsolatedText, requireListHost } from '../dom.ts';
import type { Page } from '../load-page-data.ts';
import { SearchIndex } from '../search-index.ts';
import { List } from './list.ts';
import { ListTable } from './list-table.ts';

export function mountGroupLists(page: Page): void {
  const { groups, platformTitles } = page.document;
  const { columns, empty, label } = describeGroupList(platformTitles);
  const members = createElement('div');
  const buttons = new Map(groups.map((group) => [group, createShowButton(group, () => select(group))]));
  const table = new ListTable<GroupReport>({ label });
  table.showColumns([...columns, { key: 'show', title: '', text: () => '', show: (group) => buttons.get(group) }]);
  table.showRows(groups, empty);
  requireListHost('groups').replaceChildren(createElement('div', { class: 'choices' }, table.element), members);

  let selected: GroupReport | undefined;
  const select = (group: GroupReport | undefined) => {
    if (group === undefined || group === selected) {
      return;
    }
    selected = group;
    for (const [known, button] of buttons) {
      button.setAttribute('aria-pressed', String(known === group));
    }
    mountMemberList(members, group, page);
  };
  onAddressChange('groups', (parameters) => {
    const wanted = parameters.get('members.group');
    select(groups.find((group) => toGroupAddress(group) === wanted) ?? selected ?? groups[0]);
  });
}

function createShowButton(group: GroupReport, onShow: () => void): HTMLElement {
  const label = `${texts.show}: ${group.source}, ${group.group}`;
  const button = createElement('button', { type: 'button', 'aria-pressed': 'false', 'aria-label': label }, texts.show);
  button.addEventListener('click', () => {
    writeParametersOf('members', [['group', toGroupAddress(group)]]);
    onShow();
  });
  return button;
}

function mountMemberList(host: HTMLElement, group: GroupReport, page: Page): void {
  const rows = listMembers(group, page);
  const list = createElement('div');
  host.replaceChildren(createElement('h3', {}, texts.rows, ': ', createIsolatedText(group.group)), list);
  new List(list, {
    ...describeMemberList(group.group),
    rows,
    index: new SearchIndex(rows.length, (index) => [rows[index]?.name, rows[index]?.id]),
    count: listTexts.shownRows,
    findDevice: ({ id }) => ({ source: group.source, id }),
    file: `members-${page.document.slot}`,
    facets: [
      { key: 'change', label: titles.change, read: ({ change }) => change },
      { key: 'verdict', label: titles.verdict, read: ({ verdict }) => verdict },
      {
        key: 'inPicture',
        label: titles.inPicture,
        read: ({ inPicture }) => (inPicture ? 'yes' : 'no'),
        say: (flag) => (flag === 'yes' ? listTexts.yes : listTexts.no),
        isSecondary: true,
      },
    ],
    toggles: [
      {
        key: 'differs',
        label: texts.differs,
        holds: ({ verdict }) => verdict === 'missing' || verdict === 'unexpected',
      },
    ],
    note: createGlossaryLinks(['verdict', titles.verdict]),
  });
}

/** Members with a change or a difference first, then all others. */
function listMembers({ source, group, rows }: GroupReport, { devices }: Page): MemberRow[] {
  const others = devices.flatMap((device): MemberRow[] => {
    const membership = device.source === source && device.memberships?.find((known) => known.group === group);
    if (!membership) {
      return [];
    }
    const { id, name } = device;
    const { inPlatformGroup, verdict, why } = membership;
    return [{ id, name, inPlatformGroup, inPicture: true, verdict, why, change: 'stayed' }];
  });
  return [...rows, ...others];
}
