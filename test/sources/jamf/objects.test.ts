/** Policies, scripts, profiles and groups as Classic XML writes them; real bodies where they are at hand. */
import { describe, expect, it } from 'vitest';
import { parseRoot } from '../../../src/sources/jamf/classic.ts';
import {
  parseApiGroup,
  parseApiScript,
  parseClassicGroup,
  parseClassicScript,
  parsePolicy,
  parseProfile,
} from '../../../src/sources/jamf/objects.ts';
import { needSharedText, type Skip } from '../../needs.ts';

const read = (xml: string, root: string) => parseRoot(`<?xml version="1.0"?>${xml}`, root, 'Jamf Pro "macs"');
const policy = (scope: string, rest = '') =>
  parsePolicy(
    read(`<policy><general><enabled>true</enabled></general><scope>${scope}</scope>${rest}</policy>`, 'policy'),
  );

describe('a scope', () => {
  it.each<[string, string, boolean]>([
    ['everybody', '<all_computers>true</all_computers>', true],
    ['one computer', '<computers><computer><id>1</id></computer></computers>', true],
    ['a group', '<computer_groups><computer_group><id>7</id></computer_group></computer_groups>', true],
    ['a building', '<buildings><building><id>1</id></building></buildings>', true],
    ['nobody', '<all_computers>false</all_computers><computers/><computer_groups/><buildings/><departments/>', false],
    ['lists with a size alone', '<computers><size>0</size></computers>', false],
    ['nothing at all', '', false],
    ['exclusions alone', '<exclusions><computers><computer><id>1</id></computer></computers></exclusions>', false],
  ])('of %s', (_who, scope, scoped) => {
    const { allComputers, targets } = policy(scope).scope;
    expect(allComputers || targets.length > 0).toBe(scoped);
  });

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

  it('may hand over parameters, some of them missing', () => {
    const script = '<script><id>1</id><name>a.sh</name><parameter4>x</parameter4><parameter6/></script>';
    const [used] = policy('', `<scripts><size>1</size>${script}</scripts>`).scripts;
    expect(used?.name).toBe('a.sh');
    expect([4, 5, 6, 11].map((number) => used?.parameters.get(number))).toEqual(['x', '', '', '']);
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

describe('real bodies', () => {
  const real = (skip: Skip, name: string, root: string) =>
    parseRoot(needSharedText(skip, `real/${name}`), root, 'Jamf Pro "macs"');

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
