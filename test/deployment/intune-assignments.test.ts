/** Whom the app of Intune is assigned to. */
import { describe, expect, it } from 'vitest';
import {
  type AssignmentSettings,
  appAssigned,
  assignmentCheck,
  listAssignmentGroups,
} from '../../src/deployment/checks/intune/assignments.ts';
import type { AppsReading, AssignmentFacts, IntuneReading } from '../../src/deployment/checks/intune/reading.ts';
import { judgeIntune, makeApp, say, unread } from './judging.ts';

const groupTarget = 'groupAssignmentTarget';
const assign = (intent: string, target: string, groupId?: string): AssignmentFacts => ({ intent, target, groupId });
const assigned = (...assignments: AssignmentFacts[]) => [makeApp({ assignments })];
const [users, pilot] = ['aaaaaaaa-0000-0000-0000-000000000001', 'aaaaaaaa-0000-0000-0000-000000000002'];
const toUsers = assign('available', groupTarget, users);

describe('assignments', () => {
  it.each<[string, AppsReading, string]>([
    ['none', assigned(), 'fail: the app is assigned to nobody'],
    [
      'only an exclusion',
      assigned(assign('', 'exclusionGroupAssignmentTarget', users)),
      'fail: the app is assigned to nobody',
    ],
    ['one', assigned(toUsers), 'pass: it has 1 target'],
    [
      'an uninstallation',
      assigned(toUsers, assign('uninstall', groupTarget, pilot), assign('uninstall', 'allDevicesAssignmentTarget')),
      `fail: it is uninstalled from the group "${pilot}"; it is uninstalled from all devices`,
    ],
    [
      'of two apps, one not read',
      [makeApp({ assignments: [toUsers] }), makeApp({ assignments: unread })],
      'unknown: it was not read',
    ],
    ['of no app that was read', unread, 'unknown: it was not read'],
  ])('that target anybody: %s', (_, apps, expected) => {
    expect(say(judgeIntune(appAssigned, { apps }))).toBe(expected);
  });

  const judge = (
    assignments: AssignmentFacts[],
    settings: AssignmentSettings = {},
    groups: IntuneReading['groups'] = [],
    hasFilters: boolean | undefined = false,
  ) => say(judgeIntune(assignmentCheck, { apps: assigned(...assignments), groups, hasFilters }, { windows: settings }));
  const filters = 'assignment filters: none';

  it.each<[string, AssignmentFacts[], string]>([
    ['nobody', [], `fail: the app is neither available to nor required for anybody (assigned to nobody; ${filters})`],
    ['a group', [toUsers], `pass: available to the group "${users}"; ${filters}`],
    ['everybody', [assign('required', 'allLicensedUsersAssignmentTarget')], `pass: required for all users; ${filters}`],
    [
      'whoever has not enrolled',
      [assign('availableWithoutEnrollment', groupTarget, users)],
      `fail: the app is neither available to nor required for anybody (available without enrolment to the group "${users}"; ${filters})`,
    ],
    [
      'a group from which it is uninstalled, besides another',
      [toUsers, assign('uninstall', groupTarget, pilot)],
      `fail: it is uninstalled from the group "${pilot}" (available to the group "${users}"; uninstalled from the group "${pilot}"; ${filters})`,
    ],
    [
      'a group that is excluded alone',
      [assign('available', 'exclusionGroupAssignmentTarget', users)],
      `fail: the app is neither available to nor required for anybody (not available to the group "${users}" (excluded); ${filters})`,
    ],
  ])('where the settings name nobody: %s', (_, assignments, expected) => {
    expect(judge(assignments)).toBe(expected);
  });

  it.each([
    [undefined, 'not known'],
    [true, 'in use'],
    [false, 'none'],
  ])('with filters %s show that they are %s', (hasFilters, words) => {
    const found = judgeIntune(assignmentCheck, { apps: assigned(toUsers), groups: [], hasFilters });
    expect(found.found).toBe(`available to the group "${users}"; assignment filters: ${words}`);
  });

  it('are shown each once, in order, and not more than twenty', () => {
    const many = Array.from({ length: 22 }, (_, index) => assign('available', groupTarget, String(index + 10)));
    const shown = judge([...many, ...many].toReversed());
    expect(shown).toMatch(/^pass: available to the group "10"; .*; available to the group "29"; 2 more; assignment/);
    expect(judge(many.slice(0, 20))).not.toContain('more');
  });

  const found = [
    { named: 'Agent users', ids: [users] },
    { named: 'Pilot', ids: [pilot] },
  ];
  const named = { groups: ['Agent users'] };
  const shownUsers = `available to the group "${users}"`;

  it.each<[string, AssignmentFacts[], string]>([
    ['as named', [toUsers], `pass: ${shownUsers}; ${filters}`],
    [
      'as named, in another case',
      [assign('available', groupTarget, users.toUpperCase())],
      `pass: available to the group "${users.toUpperCase()}"; ${filters}`,
    ],
    ['not assigned', [], `fail: the app is not available to the group "Agent users" (assigned to nobody; ${filters})`],
    [
      'assigned to another as well',
      [toUsers, assign('required', groupTarget, pilot)],
      `fail: it is also required for the group "${pilot}" (${shownUsers}; required for the group "${pilot}"; ${filters})`,
    ],
    [
      'with another intent',
      [assign('required', groupTarget, users)],
      `fail: the app is not available to the group "Agent users"; it is also required for the group "${users}" (required for the group "${users}"; ${filters})`,
    ],
    [
      'with a target of another kind with the same id',
      [assign('available', 'exclusionGroupAssignmentTarget', users)],
      `fail: the app is not available to the group "Agent users"; it is also not available to the group "${users}" (excluded) (not available to the group "${users}" (excluded); ${filters})`,
    ],
  ])('where the settings name a group: %s', (_, assignments, expected) => {
    expect(judge(assignments, named, found)).toBe(expected);
  });

  it.each<[string, NonNullable<AssignmentSettings['alsoAssigned']>[number], AssignmentFacts, string]>([
    [
      'all users',
      { target: 'allUsers', intent: 'required', exclude: false },
      assign('required', 'allLicensedUsersAssignmentTarget'),
      'the app is not required for all users',
    ],
    [
      'another group',
      { target: 'group', group: 'Pilot', intent: 'required', exclude: false },
      assign('required', groupTarget, pilot),
      'the app is not required for the group "Pilot"',
    ],
    [
      'an excluded group',
      { target: 'group', group: 'Pilot', exclude: true },
      assign('required', 'exclusionGroupAssignmentTarget', pilot),
      'the app does not exclude the group "Pilot"',
    ],
  ])('where the settings mean %s besides', (_, meant, assignment, lack) => {
    const settings = { ...named, alsoAssigned: [meant] };
    expect(judge([toUsers, assignment], settings, found)).toMatch(/^pass: /);
    expect(judge([toUsers], settings, found)).toBe(`fail: ${lack} (${shownUsers}; ${filters})`);
    expect(judge([assignment], { alsoAssigned: [meant] }, found)).toMatch(/^pass: /);
  });

  it('of a group that is not there, or there twice, or whose name could not be read', () => {
    expect(judge([], named, [{ named: 'Agent users', ids: [] }])).toBe(
      `fail: there is no group "Agent users" (assigned to nobody; ${filters})`,
    );
    expect(judge([toUsers], named, [{ named: 'Agent users', ids: [users, pilot] }])).toBe(
      `fail: there are 2 groups "Agent users"; name the id (${shownUsers}; ${filters})`,
    );
    expect(judge([toUsers], named, unread)).toBe(`unknown: it was not read (${shownUsers}; ${filters})`);
  });

  it('need the ids of the groups in the settings, each once', () => {
    const alsoAssigned = [
      { target: 'group', group: 'Pilot', exclude: true },
      { target: 'allUsers', exclude: false },
      { target: 'group', group: 'Agent users', exclude: false },
    ] satisfies AssignmentSettings['alsoAssigned'];
    expect(listAssignmentGroups({ groups: ['Agent users'], alsoAssigned })).toEqual(['Agent users', 'Pilot']);
    expect(listAssignmentGroups({})).toEqual([]);
  });
});
