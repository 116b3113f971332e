/** Lists of exemptions, of machines enrolled nowhere, of groups in numbers, and of members of the selected group. */
import { omitUndefined } from '../../../../base/omit-undefined.ts';
import type { JudgedExemption } from '../../../../core/facts/judged.ts';
import type { UnenrolledMachine } from '../../../../core/facts/lists.ts';
import type { GroupReport, GroupRow } from '../../../document/groups.ts';
import { toRows } from '../../shared/list.ts';
import { groupTexts, columnTitles as titles } from '../../shared/list-texts.ts';
import {
  describeExemptionList,
  describeGroupList,
  describeMemberList,
  describeUnenrolledList,
  toGroupAddress,
} from '../../shared/report-lists.ts';
import { sectionTitles } from '../../shared/texts.ts';
import { onAddressChange, writeParametersOf } from '../address.ts';
import { createButton, createElement, createGlossaryLinks, createIsolatedText, requireElement } from '../dom.ts';
import type { Page } from '../load-page-data.ts';
import { createExemptionTest } from './device-lists.ts';
import { List } from './list.ts';
import { createTable } from './list-table.ts';

export function mountExemptionList({ document: { exemptions, slot }, devices }: Page): void {
  /** Undefined where the page cannot know the devices: without users, it cannot match a user's row. */
  const countDevices = (exemption: JudgedExemption) => {
    const isKnown =
      exemption.match !== 'user' || devices.filter(createExemptionTest(exemption)).length === exemption.devices;
    return isKnown ? toRows('all-devices', { exemption: String(exemptions.indexOf(exemption)) }) : undefined;
  };
  new List(requireElement('[data-list=exemptions]'), {
    ...describeExemptionList(countDevices),
    rows: exemptions,
    search: (exemption) => Object.values(exemption).map(String),
    file: `exemptions-${slot}`,
    facets: ['result'],
    note: createGlossaryLinks(['result', titles.result]),
  });
}

export function mountUnenrolledList({ document: { lists, slot } }: Page): void {
  if (lists?.expected === undefined) {
    return;
  }
  new List<UnenrolledMachine>(requireElement('[data-list=unenrolled]'), {
    ...describeUnenrolledList(lists.expected),
    rows: lists.expected.unenrolled ?? [],
    search: (machine) => Object.values(machine),
    file: `enrolled-nowhere-${slot}`,
    facets: ['site', 'file'],
    note: createGlossaryLinks(['list', sectionTitles.unenrolled]),
  });
}

export function mountGroupLists(page: Page): void {
  const host = document.querySelector('[data-list=groups]');
  if (host === null) {
    return;
  }
  const { groups, platformTitles } = page.document;
  const { columns, empty, label } = describeGroupList(platformTitles);
  const members = createElement('div');
  const buttons = new Map(groups.map((group) => [group, createShowButton(group, () => select(group))]));
  const show = { key: 'show', title: '', text: () => '', show: (group: GroupReport) => buttons.get(group) };
  const table = createTable(label, [...columns, show], groups, empty);
  host.replaceChildren(createElement('div', { class: 'choices' }, table), members);

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
  const label = `${groupTexts.show}: ${group.source}, ${group.group}`;
  const show = () => {
    writeParametersOf('members', [['group', toGroupAddress(group)]]);
    onShow();
  };
  return createButton(groupTexts.show, show, { 'aria-pressed': 'false', 'aria-label': label });
}

function mountMemberList(host: HTMLElement, group: GroupReport, page: Page): void {
  const list = createElement('div');
  host.replaceChildren(createElement('h3', {}, groupTexts.members, ': ', createIsolatedText(group.group)), list);
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
        label: groupTexts.differs,
        holds: ({ verdict }) => verdict === 'missing' || verdict === 'unexpected',
      },
    ],
    note: createGlossaryLinks(['verdict', titles.verdict]),
  });
}

/** Members with a change or a difference first, then all others. */
function listMembers({ source, group, rows }: GroupReport, { devices }: Page): GroupRow[] {
  const others = devices.flatMap(({ source: of, id, name, memberships = [] }): GroupRow[] => {
    const membership = of === source ? memberships.find((known) => known.group === group) : undefined;
    return membership ? [{ id, ...omitUndefined({ name }), ...membership, inPicture: true, change: 'stayed' }] : [];
  });
  return [...rows, ...others];
}
