/** What Classic XML says: documents, members, policies, scripts, profiles and groups; real bodies where they are at hand. */
import { describe, expect, it } from 'vitest';
import { listChildren, parseRoot, readChildText } from '../../../src/sources/jamf/classic.ts';
import {
  parseApiGroup,
  parseApiScript,
  parseClassicGroup,
  parseClassicScript,
  parsePolicy,
  parseProfile,
} from '../../../src/sources/jamf/deployment/parse.ts';
import { parseClassicMemberIds } from '../../../src/sources/jamf/groups.ts';
import { parseClassicAttribute } from '../../../src/sources/jamf/instrument.ts';
import { needSharedText, type Skip } from '../../needs.ts';
import { who } from './builders.ts';

const group = (computers: string) => `<?xml version="1.0"?>\n<computer_group><id>007</id>${computers}</computer_group>`;
const root = (text: string) => parseRoot(text, 'computer_group', who);
const unreadable = expect.objectContaining({ code: 'answer-unreadable' });

describe('a document', () => {
  it('keeps text as text [J10]', () => {
    expect(readChildText(root(group('')), 'id')).toBe('007');
  });

  it.each([
    ['a byte-order mark', `\uFEFF${group('')}`],
    ['no declaration', group('').replace(/^.*\n/, '')],
    ['a comment', `${group('')}<!-- end -->\n`],
  ])('may have %s', (_name, text) => {
    expect(readChildText(root(text), 'id')).toBe('007');
  });

  it.each([
    ['nothing', ''],
    ['a web page', '<html><head><title>Status page</title></head><body><p>Forbidden</p></body></html>'],
    ['JSON', '{"computer_group":{}}'],
    ['an end too early', group('<computers><computer><id>1</id>').slice(0, 60)],
    ['no end', group('').replace('</computer_group>', '')],
    ['two roots', group('') + group('').replace(/^.*\n/, '')],
    ['another root beside', `${group('')}<html/>`],
    ['text in front', `sorry ${group('').replace(/^.*\n/, '')}`],
    ['a document type', group('').replace('\n', '\n<!DOCTYPE x [<!ENTITY a "b">]>')],
    ['an unknown entity', group('<name>&a;</name>')],
    ['an end of our own wrapper', `${group('').replace(/^.*\n/, '')}</document><document><computer_group/>`],
  ])('with %s is unreadable [J6, J7]', (_name, text) => {
    expect(() => root(text)).toThrow(unreadable);
  });

  it('however deep does no harm [H30]', () => {
    const deep = 100_000;
    expect(readChildText(root(group('<a>'.repeat(deep) + '</a>'.repeat(deep))), 'id')).toBe('007');
  });

  it('with names of object properties changes nothing else [J8]', () => {
    const element = root(group('<__proto__><x>1</x></__proto__><constructor>c</constructor>'));
    expect(readChildText(element, 'id')).toBe('007');
    expect(listChildren(element, 'toString')).toEqual([]);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});

describe('members [J9]', () => {
  const ids = (computers: string) => parseClassicMemberIds(root(group(computers)), who);

  it.each([
    ['none', '<computers/>', []],
    ['none, counted', '<computers><size>0</size></computers>', []],
    ['two', '<computers><computer><id>5</id></computer><computer><id>9</id></computer></computers>', ['5', '9']],
  ])('%s', (_name, computers, expected) => {
    expect(ids(computers)).toEqual(expected);
  });

  it.each([
    ['fewer than the size says', '<computers><size>2</size><computer><id>5</id></computer></computers>'],
    ['one without id', '<computers><computer><name>x</name></computer></computers>'],
  ])('%s: unreadable', (_name, computers) => {
    expect(() => ids(computers)).toThrow(unreadable);
  });
});

const read = (xml: string, root: string) => parseRoot(`<?xml version="1.0"?>${xml}`, root, who);
const policy = (scope: string, rest = '') =>
  parsePolicy(
    read(`<policy><general><enabled>true</enabled></general><scope>${scope}</scope>${rest}</policy>`, 'policy'),
  );

describe('a scope', () => {
  it('has the names of what it targets, excludes and is limited to', () => {
    const { scope } = policy(
      '<computers><size>1</size><computer><id>7</id><name>MAC-7</name></computer></computers>' +
        '<limit_to_users><user_groups><user_group>staff</user_group></user_groups></limit_to_users>' +
        '<limitations><network_segments><network_segment><id>2</id><uid/><name>Berlin</name></network_segment></network_segments></limitations>' +
        '<exclusions><computer_groups><computer_group><id>1</id><name>All Managed Clients</name></computer_group>' +
        '<computer_group><id>9</id><name>Pilot</name></computer_group></computer_groups>' +
        '<buildings><size>0</size></buildings></exclusions>',
    );
    expect(scope).toEqual({
      allComputers: false,
      targets: [{ type: 'computer', id: '7', name: 'MAC-7', computers: ['7'] }],
      exclusions: [
        { type: 'computer_group', id: '1', name: 'All Managed Clients' },
        { type: 'computer_group', id: '9', name: 'Pilot' },
      ],
      limitations: [
        { type: 'network_segment', id: '2', name: 'Berlin' },
        { type: 'user_group', id: '', name: 'staff' },
      ],
    });
  });
});

const nobody = { allComputers: false, targets: [], exclusions: [], limitations: [] };

describe('a policy', () => {
  it('without its parts is one that does nothing', () => {
    expect(policy('')).toEqual({ enabled: true, scope: nobody, updatesInventory: false, scripts: [] });
  });
});

it('a script is the same from both APIs', () => {
  const xml =
    '<script><parameters><parameter4>mdmUser</parameter4></parameters><script_contents>#!/bin/sh&#13;\necho</script_contents></script>';
  const classic = parseClassicScript(read(xml, 'script'));
  expect(classic.labels).toEqual(parseApiScript({ parameter4: 'mdmUser' }).labels);
  expect(classic.contents).toBe('#!/bin/sh\r\necho');
});

it('a group is the same from both APIs', () => {
  const criterion = { name: 'Agent Status', searchType: 'is', value: 'Installed' };
  const xml =
    '<computer_group><is_smart>true</is_smart><criteria><size>1</size><criterion><name>Agent Status</name><priority>0</priority><and_or>and</and_or><search_type>is</search_type><value>Installed</value></criterion></criteria></computer_group>';
  expect(parseClassicGroup(read(xml, 'computer_group'))).toEqual(
    parseApiGroup({ criteria: [{ ...criterion, priority: 0 }] }),
  );
});

describe('objects', () => {
  const entryOf = (list: string, type: string, id: number) =>
    `<${list}><${type}><id>${id}</id><name>${type}</name></${type}></${list}>`;
  const scopeOf = (xml: string) => policy(xml).scope;

  it('of a scope are of every kind that Jamf Pro has', () => {
    const common =
      entryOf('computers', 'computer', 1) +
      entryOf('computer_groups', 'computer_group', 2) +
      entryOf('buildings', 'building', 3) +
      entryOf('departments', 'department', 4) +
      entryOf('jss_users', 'jss_user', 5) +
      entryOf('jss_user_groups', 'jss_user_group', 6);
    const more =
      entryOf('users', 'user', 7) +
      entryOf('user_groups', 'user_group', 8) +
      entryOf('network_segments', 'network_segment', 9) +
      entryOf('ibeacons', 'ibeacon', 10);
    const scope = scopeOf(
      `${common}${more}<exclusions>${common}${more}</exclusions><limitations>${common}${more}</limitations>`,
    );
    const names = (entries: readonly { readonly type: string; readonly id: string }[]) =>
      entries.map(({ type, id }) => `${type} ${id}`);
    const targets = ['computer 1', 'computer_group 2', 'building 3', 'department 4', 'jss_user 5', 'jss_user_group 6'];
    const others = ['user 7', 'user_group 8', 'network_segment 9', 'ibeacon 10'];
    expect(names(scope.targets)).toEqual(targets);
    expect(names(scope.exclusions)).toEqual([...targets, ...others]);
    expect(names(scope.limitations)).toEqual(others);
    expect(scope.targets.flatMap(({ computers }) => computers ?? [])).toEqual(['1']);
  });

  it('of a scope may be all computers or all users', () => {
    expect(scopeOf('<all_computers>true</all_computers><all_jss_users>false</all_jss_users>')).toMatchObject({
      allComputers: true,
      targets: [],
    });
    expect(scopeOf('<all_computers>false</all_computers><all_jss_users>true</all_jss_users>')).toMatchObject({
      allComputers: false,
      targets: [{ type: 'user', id: '', name: 'all' }],
    });
  });

  it('are what Jamf Pro says, and nothing where it says nothing', () => {
    const whole =
      '<policy><general><enabled>false</enabled></general><maintenance><recon>true</recon></maintenance>' +
      '<scripts><size>2</size><script><parameter11>k</parameter11></script><script><name>b</name></script></scripts></policy>';
    const { enabled, updatesInventory, scripts } = parsePolicy(read(whole, 'policy'));
    expect({ enabled, updatesInventory, names: scripts.map(({ name }) => name) }).toEqual({
      enabled: false,
      updatesInventory: true,
      names: ['', 'b'],
    });
    const parameters = [...(scripts[0]?.parameters ?? [])].map(([number, value]) => `${number}${value}`);
    expect(parameters.join(' ')).toBe('4 5 6 7 8 9 10 11k');
    expect(
      parsePolicy(read('<policy><maintenance><recon>false</recon></maintenance></policy>', 'policy')).updatesInventory,
    ).toBe(false);

    const profile = (general: string) => parseProfile(read(`<p><general>${general}</general></p>`, 'p'));
    expect(profile('')).toMatchObject({ description: '', distribution: undefined, level: undefined, payloads: '' });
    expect(
      profile(
        '<description>d</description><distribution_method> x </distribution_method><level> System </level><payloads>p</payloads>',
      ),
    ).toMatchObject({ description: 'd', distribution: 'x', level: 'System', payloads: 'p' });
    expect(profile('<distribution_method> </distribution_method><level> </level>')).toMatchObject({
      distribution: undefined,
      level: undefined,
    });

    expect(parseClassicScript(read('<script/>', 'script'))).toEqual({
      contents: '',
      labels: new Map(numbers.map((number) => [number, ''])),
    });
    expect(parseApiScript({ scriptContents: 'x', parameter11: 'k', parameter4: 4 })).toEqual({
      contents: 'x',
      labels: new Map(numbers.map((number) => [number, number === 11 ? 'k' : ''])),
    });
    const bare = { name: '', searchType: '', value: '' };
    expect(parseApiGroup({ criteria: [null, { name: 'a', searchType: 'is', value: 1 }] })).toEqual({
      smart: true,
      criteria: [bare, { name: 'a', searchType: 'is', value: '1' }],
    });
    expect(parseApiGroup(null)).toEqual({ smart: true, criteria: [] });
    expect(parseClassicGroup(read('<g><is_smart>false</is_smart><criteria><criterion/></criteria></g>', 'g'))).toEqual({
      smart: false,
      criteria: [bare],
    });
  });
  const numbers = [4, 5, 6, 7, 8, 9, 10, 11];
});

describe('real bodies', () => {
  const real = (skip: Skip, file: string, name: string) => parseRoot(needSharedText(skip, `real/${file}`), name, who);

  it('groups', ({ skip }) => {
    const groups = listChildren(real(skip, 'jamf-classic-computergroups.xml', 'computer_groups'), 'computer_group');
    expect(groups).toHaveLength(11);
    expect(
      groups.filter((one) => readChildText(one, 'is_smart') === 'false').map((one) => readChildText(one, 'id')),
    ).toEqual(['18']);
    const smart = real(skip, 'jamf-classic-computergroup-smart.xml', 'computer_group');
    expect(parseClassicMemberIds(smart, who)).toEqual(['1', '13', '14', '15']);
    expect(parseClassicMemberIds(real(skip, 'jamf-classic-computergroup-static.xml', 'computer_group'), who)).toEqual([
      '1',
      '3',
    ]);
  });

  it('an attribute', ({ skip }) => {
    expect(
      parseClassicAttribute(real(skip, 'jamf-classic-extension-attribute.xml', 'computer_extension_attribute')),
    ).toEqual({
      id: '1',
      name: 'Extension Attribute 1',
      enabled: true,
      dataType: 'STRING',
      inputType: 'POPUP',
      section: 'GENERAL',
      script: '',
    });
  });

  it('a policy that installs a browser', ({ skip }) => {
    const found = parsePolicy(real(skip, 'jamf-classic-policy.xml', 'policy'));
    const scope = { ...nobody, allComputers: true };
    expect(found).toEqual({ enabled: true, scope, updatesInventory: false, scripts: [] });
  });

  it('a profile without a scope', ({ skip }) => {
    const { payloads, ...rest } = parseProfile(real(skip, 'jamf-classic-profile.xml', 'os_x_configuration_profile'));
    const distribution = 'Install Automatically';
    expect(rest).toEqual({ scope: nobody, description: '', distribution, level: 'computer' });
    expect(payloads).toMatch(/^<\?xml[\s\S]*<\/plist>$/);
  });

  it('a smart group with two criteria, and a static one', ({ skip }) => {
    expect(
      parseClassicGroup(real(skip, 'jamf-classic-computergroup-smart.xml', 'computer_group')).criteria,
    ).toHaveLength(2);
    expect(parseClassicGroup(real(skip, 'jamf-classic-computergroup-static.xml', 'computer_group'))).toEqual({
      smart: false,
      criteria: [],
    });
  });
});
