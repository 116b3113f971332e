/** The groups: in numbers, and the members of the selected one. */
import type { GroupReport } from '../../../document/report-document.ts';
import { groupTexts as texts, columnTitles as titles } from '../../shared/list-texts.ts';
import { describeGroupList, describeMemberList, type MemberRow, toGroupAddress } from '../../shared/report-lists.ts';
import { onAddressChange, writeParametersOf } from '../address.ts';
import { createButton, createElement, createGlossaryLinks, createIsolatedText, requireListHost } from '../dom.ts';
import type { Page } from '../load-page-data.ts';
import { List } from './list.ts';
import { createTable } from './list-table.ts';

export function mountGroupLists(page: Page): void {
  const { groups, platformTitles } = page.document;
  const { columns, empty, label } = describeGroupList(platformTitles);
  const members = createElement('div');
  const buttons = new Map(groups.map((group) => [group, createShowButton(group, () => select(group))]));
  const show = { key: 'show', title: '', text: () => '', show: (group: GroupReport) => buttons.get(group) };
  const table = createTable(label, [...columns, show], groups, empty);
  requireListHost('groups').replaceChildren(createElement('div', { class: 'choices' }, table), members);

  let selected: GroupReport | undefined;
  const select = (group: GroupReport | undefined) => {
    if (group === undefined || group === selected) {
      return;
    }
    selected = group;
    for (const [known, button] of buttons) {
      button.ariaPressed = String(known === group);
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
  const show = () => {
    writeParametersOf('members', [['group', toGroupAddress(group)]]);
    onShow();
  };
  return createButton(texts.show, show, { 'aria-pressed': 'false', 'aria-label': label });
}

function mountMemberList(host: HTMLElement, group: GroupReport, page: Page): void {
  const list = createElement('div');
  host.replaceChildren(createElement('h3', {}, texts.members, ': ', createIsolatedText(group.group)), list);
  new List(list, {
    ...describeMemberList(group.group),
    rows: listMembers(group, page),
    search: ({ name, id }) => [name, id],
    findDevice: ({ id }) => ({ source: group.source, id }),
    file: `members-${page.document.slot}`,
    facets: ['change', 'verdict'],
    moreFacets: ['inPicture'],
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
