/** Every check of a Jamf Pro source through HTTP: as documented, in several ways not, and not readable. */
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { JamfPolicy } from '../../src/sandbox/platforms/jamf/jamf-objects.ts';
import { accepting, first, type Ground, named, openGround, put } from './ground.ts';

let ground: Ground;

beforeAll(async () => {
  ground = await openGround('macs');
  const { groups } = await ground.read();
  targets = groups.find(({ holds }) => holds === 'Not Installed')?.members?.map(Number) ?? [];
  expect(targets.length).toBeGreaterThan(1);
});
afterEach(() => ground.restore());
afterAll(() => ground.close());

type Change = (ground: Ground) => void;

const documentedAgent = '/usr/local/fhfs/bin/fhagent';

const attribute = ({ sandbox }: Ground) => named(sandbox.jamf.attributes, 'Agent Status');
const group = ({ sandbox }: Ground, name: string) => named(sandbox.jamf.groups, name);
const policy = ({ sandbox }: Ground) => named(sandbox.jamf.policies, 'Deploy endpoint agent');
const script = ({ sandbox }: Ground) => named(sandbox.jamf.scripts, 'enroll.sh');
const profile = ({ sandbox }: Ground, name: string) => named(sandbox.jamf.profiles, name);

/** Another object of the same name. */
function twin<Item extends { id: number; name: string }>(items: Item[], name: string): void {
  items.push({ ...structuredClone(named(items, name)), id: 900 });
}

function remove<Item extends { name: string }>(items: Item[], name: string): void {
  items.splice(items.indexOf(named(items, name)), 1);
}

function parameter(number: number, value: string): Change {
  return (at) => {
    const [used] = policy(at).scripts;
    if (used) {
      used.parameters = used.parameters.map((old, index) => (index === number - 4 ? value : old));
    }
  };
}

function changePolicy(changes: Partial<JamfPolicy>): Change {
  return (at) => void Object.assign(policy(at), changes);
}

const criteria = (name: string): readonly [string, Change][] => [
  ['without criteria', (at) => put(group(at, name), { criteria: [] })],
  [
    'with a second criterion',
    (at) => void group(at, name).criteria.push({ ...first(group(at, name).criteria), value: 'x' }),
  ],
  ['with another operator', (at) => put(first(group(at, name).criteria), { searchType: 'like' })],
  ['with another value', (at) => put(first(group(at, name).criteria), { value: 'installed' })],
  ['about another attribute', (at) => put(first(group(at, name).criteria), { name: 'Agent Status Old' })],
  ['a static one', (at) => put(group(at, name), { smart: false })],
  ['gone', (at) => remove(at.sandbox.jamf.groups, name)],
  ['there twice', (at) => twin(at.sandbox.jamf.groups, name)],
];

interface Drift {
  readonly fails: readonly (readonly [string, Change])[];
  /** What is taken away, and what the finding then names. */
  readonly unreadable: readonly [Change, string];
}

/** The computers that the policy targets: those that have no agent. */
let targets: readonly number[] = [];

function excludeEach(at: Ground): void {
  const pilot = group(at, 'Pilot');
  put(pilot, { members: [...targets] });
  changePolicy({ excludedGroupIds: [pilot.id] })(at);
}

const without = (privilege: string): [Change, string] => [({ denied }) => void denied.push(privilege), privilege];
const inSelfService = { distribution: 'Make Available in Self Service' } as const;
const silent = (at: Ground): void => put(at.sandbox.service, { instead: { status: 503 } });
const serves = (instead: Ground['sandbox']['service']['instead']) => (at: Ground) =>
  put(at.sandbox.service, { instead: instead });

const drifts: Readonly<Record<string, Drift>> = {
  'macos.extension-attribute': {
    fails: [
      ['disabled', (at) => put(attribute(at), { enabled: false })],
      ['of another type', (at) => put(attribute(at), { dataType: 'INTEGER' })],
      ['typed in', (at) => put(attribute(at), { inputType: 'TEXT' })],
      ['without a script', (at) => put(attribute(at), { script: ' \r\n' })],
      ['gone', (at) => remove(at.sandbox.jamf.attributes, 'Agent Status')],
      ['there twice', (at) => twin(at.sandbox.jamf.attributes, 'Agent Status')],
    ],
    unreadable: without('Read Computer Extension Attributes'),
  },
  'macos.smart-group-installed': {
    fails: criteria('Agent Installed'),
    unreadable: without('Read Smart Computer Groups'),
  },
  'macos.smart-group-not-installed': {
    fails: criteria('Agent Not Installed'),
    unreadable: without('Read Smart Computer Groups'),
  },
  'macos.policy': {
    fails: [
      ['disabled', changePolicy({ enabled: false })],
      ['without the script', changePolicy({ scripts: [] })],
      ['without a scope', changePolicy({ groupIds: [] })],
      ['for all computers less all managed', changePolicy({ allComputers: true, groupIds: [], excludedGroupIds: [1] })],
      ['for a group that it excludes', changePolicy({ excludedGroupIds: [102] })],
      ['for a group less a static one with the same computers', (at) => excludeEach(at)],
      ['for a group less each of its computers', (at) => changePolicy({ excludedComputerIds: [...targets] })(at)],
      ['with the script twice', (at) => void policy(at).scripts.push(first(policy(at).scripts))],
      ['gone', (at) => remove(at.sandbox.jamf.policies, 'Deploy endpoint agent')],
      ['there twice', (at) => twin(at.sandbox.jamf.policies, 'Deploy endpoint agent')],
    ],
    unreadable: without('Read Policies'),
  },
  'macos.policy-parameters': {
    fails: [
      ['without the API key', parameter(8, '')],
      ['with a URL for this server', (at) => parameter(6, at.sandbox.urls.jamf)(at)],
      ['with another server', parameter(6, 'other.example.com')],
      ['with another port', parameter(7, '127.0.0.1:1')],
      ['with another circle', parameter(9, 'circle-43')],
      ['with a placeholder for the account', parameter(4, '<MDM_USER>')],
      ['with a placeholder for the password', parameter(5, '&lt;MDM_PASSWORD&gt;')],
      ['with a placeholder for the API key', parameter(8, '<API_KEY>')],
      ['with a placeholder for the circle', parameter(9, '{circle_id}')],
      ['with a path behind this server', (at) => parameter(6, `${new URL(at.sandbox.urls.jamf).host}/JSSResource`)(at)],
      ['with a slash behind the service', (at) => parameter(7, `${new URL(at.sandbox.urls.service).host}/`)(at)],
      ['without the script', changePolicy({ scripts: [] })],
    ],
    unreadable: without('Read Policies'),
  },
  'macos.update-inventory': {
    fails: [
      ['off', changePolicy({ updateInventory: false })],
      ['of a policy that is gone', (at) => remove(at.sandbox.jamf.policies, 'Deploy endpoint agent')],
      ['of one of two policies', (at) => twin(at.sandbox.jamf.policies, 'Deploy endpoint agent')],
    ],
    unreadable: without('Read Policies'),
  },
  'macos.script': {
    fails: [
      ['without labels', (at) => put(script(at), { labels: [] })],
      ['with two labels swapped', (at) => void script(at).labels.splice(0, 2, 'mdmPass', 'mdmUser')],
      ['empty', (at) => put(script(at), { contents: ' \r\n' })],
      ['gone', (at) => remove(at.sandbox.jamf.scripts, 'enroll.sh')],
      ['in another case', (at) => put(script(at), { name: 'Enroll.sh' })],
    ],
    unreadable: without('Read Scripts'),
  },
  'macos.extension-profile': {
    fails: [
      ['for another team', (at) => replace(at, 'Agent kernel extension', /TEAM123456/g, 'TEAM654321')],
      ['without a scope', (at) => put(profile(at, 'Agent kernel extension'), { allComputers: false })],
      ['for nobody', (at) => put(profile(at, 'Agent kernel extension'), { excludedGroupIds: [1] })],
      ['without a description', (at) => put(profile(at, 'Agent kernel extension'), { description: '' })],
      ['in Self Service', (at) => put(profile(at, 'Agent kernel extension'), inSelfService)],
      ['for users', (at) => put(profile(at, 'Agent kernel extension'), { level: 'User' })],
      ['of another kind', (at) => replace(at, 'Agent kernel extension', /com\.apple\.sys/g, 'com.apple.x')],
      ['gone', (at) => remove(at.sandbox.jamf.profiles, 'Agent kernel extension')],
    ],
    unreadable: without('Read macOS Configuration Profiles'),
  },
  'macos.file-access-profile': {
    fails: [
      ['without the agent', (at) => replace(at, 'Agent file access', /fhagent/g, 'fhother')],
      ['without the application', (at) => replace(at, 'Agent file access', /com\.example\.agent/g, 'com.example.x')],
      ['that denies', (at) => replace(at, 'Agent file access', '<string>Allow</string>', '<string>Deny</string>')],
      ['without a scope', (at) => put(profile(at, 'Agent file access'), { allComputers: false })],
      ['for nobody', (at) => put(profile(at, 'Agent file access'), { excludedGroupIds: [1] })],
      ['of another team', (at) => replace(at, 'Agent file access', /subject\.OU\] = \w+/g, 'subject.OU] = TEAM654321')],
      ['of no team', (at) => replace(at, 'Agent file access', / and certificate leaf\[subject\.OU\] = \w+/g, '')],
      ['in Self Service', (at) => put(profile(at, 'Agent file access'), inSelfService)],
      ['for users', (at) => put(profile(at, 'Agent file access'), { level: 'User' })],
      ['there twice', (at) => twin(at.sandbox.jamf.profiles, 'Agent file access')],
    ],
    unreadable: without('Read macOS Configuration Profiles'),
  },
  'macos.permissions-read-only': {
    fails: [
      ['that may update', ({ granted }) => void granted.push('Update Computers')],
      ['that may delete', ({ granted }) => void granted.push('Delete Policies')],
      ['that may send', ({ granted }) => void granted.push('Send Computer Remote Wipe Command')],
      ['that may see recovery keys', ({ granted }) => void granted.push('View Disk Encryption Recovery Key')],
    ],
    unreadable: [(at) => at.sandbox.setFaults(['jamf/down:lasting']), 'not read'],
  },
  'service.package': {
    fails: [
      ['a web page', (at) => put(at.sandbox.service, { package: Buffer.from('<html>Sign in</html>') })],
      ['cut short', (at) => put(at.sandbox.service, { package: at.sandbox.service.package.subarray(0, -8) })],
      ['empty', (at) => put(at.sandbox.service, { package: Buffer.alloc(0) })],
      ['the other file', (at) => put(at.sandbox.service, { package: at.sandbox.service.bundle })],
      ['elsewhere', serves({ status: 302, headers: { location: 'https://elsewhere.example.com/' } })],
      ['behind a sign-in', serves({ status: 401 })],
      ['not there', serves({ status: 404 })],
    ],
    unreadable: [silent, 'request-failed'],
  },
  'service.bundle': {
    fails: [
      ['a web page', (at) => put(at.sandbox.service, { bundle: Buffer.from('<html>Sign in</html>') })],
      ['cut short', (at) => put(at.sandbox.service, { bundle: at.sandbox.service.bundle.subarray(0, 30) })],
      ['empty', (at) => put(at.sandbox.service, { bundle: Buffer.alloc(0) })],
      ['gzip, but no tar', (at) => put(at.sandbox.service, { bundle: gzipSync('hello'.repeat(500)) })],
      ['not there', serves({ status: 404 })],
    ],
    unreadable: [silent, 'request-failed'],
  },
};

function replace(at: Ground, name: string, what: string | RegExp, by: string): void {
  const found = profile(at, name);
  found.payloads = found.payloads.replace(what, by);
}

const others = ['macos.account-read-only', 'macos.agent-places'];

it('as documented, every check passes', async () => {
  const { findings, reading } = await ground.read();
  expect(reading).toBe('complete');
  expect(findings.filter(({ result }) => result !== 'pass')).toEqual([]);
  const drifting = Object.keys(drifts);
  const checked = findings.map(({ check }) => check).filter((check) => !check.startsWith('prerequisite.'));
  expect(checked.filter((check) => !others.includes(check))).toEqual(drifting);
  expect(checked.filter((check) => others.includes(check))).toEqual(others);
});

describe.each(Object.entries(drifts))('%s', (id, { fails, unreadable }) => {
  it.each(fails)('%s: fails', async (_what, change) => {
    expect(fails.length).toBeGreaterThanOrEqual(3);
    change(ground);
    const finding = await ground.check(id);
    expect(finding).toMatchObject({ result: 'fail', advice: expect.stringMatching(/\.$/) });
    expect(finding.found).not.toBe('');
  });

  it('not readable: unknown, and says why', async () => {
    const [change, named] = unreadable;
    change(ground);
    const { result, found } = await ground.check(id);
    expect({ result, found }).toEqual({ result: 'unknown', found: expect.stringContaining(named) });
  });
});

describe('another script of the attribute', () => {
  const spoil = () =>
    put(attribute(ground), { script: (attribute(ground).script ?? '').replace('fhagent', 'fhtools') });

  it('is unknown until its hash is pasted from the finding into the settings', async () => {
    spoil();
    const finding = await ground.check('macos.extension-attribute');
    expect(finding).toMatchObject({ result: 'unknown', instrument: true });
    expect(await ground.check('macos.extension-attribute', accepting(finding))).toMatchObject({
      result: 'pass',
      found: expect.stringContaining('accepted by Ada Example on 2026-03-01'),
    });
  });
});

describe('the scope of the policy', () => {
  it('is shown with its exclusions and limitations', async () => {
    // Of the few Macs here these groups would leave none.
    put(named(ground.sandbox.jamf.groups, 'Recent macOS'), { smart: false, criteria: [], members: [] });
    changePolicy({ excludedGroupIds: [18], networkSegments: ['Berlin', 'Oslo'] })(ground);
    expect(await ground.check('macos.policy')).toMatchObject({
      result: 'pass',
      found:
        'enabled, runs the script, scoped to the computer group "Agent Not Installed", ' +
        'excludes the computer group "Pilot", ' +
        'limited to the network segment "Berlin", the network segment "Oslo"',
    });
  });

  it('is enough when one computer is left', async () => {
    changePolicy({ excludedComputerIds: targets.slice(1) })(ground);
    expect(await ground.check('macos.policy')).toMatchObject({ result: 'pass' });
  });

  it('may be an empty group', async () => {
    put(group(ground, 'Pilot'), { members: [] });
    changePolicy({ groupIds: [18], excludedGroupIds: [1] })(ground);
    expect(await ground.check('macos.policy')).toMatchObject({ result: 'pass' });
  });

  it('is unknown where the excluded groups cannot be read', async () => {
    changePolicy({ excludedGroupIds: [1] })(ground);
    ground.denied.push('Read Smart Computer Groups');
    expect(await ground.check('macos.policy')).toMatchObject({
      result: 'unknown',
      found: 'the computers of the computer group "All Managed Clients", which it excludes, were not read',
    });
  });

  it('is unknown for all computers less some where the inventory cannot be read', async () => {
    changePolicy({ allComputers: true, groupIds: [], excludedGroupIds: [102] })(ground);
    ground.denied.push('Read Computers');
    expect(await ground.check('macos.policy')).toMatchObject({ result: 'unknown' });
  });

  it('costs no further request without exclusions of computers', async () => {
    const before = ground.sandbox.requests.length;
    await ground.read();
    const paths = ground.sandbox.requests.slice(before).map(({ path }) => path);
    const memberships = paths.filter((path) => /membership|computergroups/.test(path));
    expect(memberships).toHaveLength(2);
  });
});

describe('what the document does not ask for', () => {
  it.each<[string, Change]>([
    ['a package in the policy', changePolicy({ packages: [] })],
    ['a frequency', changePolicy({ frequency: 'Once per computer' })],
    ['another frequency', changePolicy({ frequency: 'Ongoing' })],
  ])('is not asked for: %s', async (_what, change) => {
    change(ground);
    expect(await ground.check('macos.policy')).toMatchObject({ result: 'pass' });
  });
});

describe('a placeholder in the policy', () => {
  it.each([
    ['api-key', 8, '<API_KEY>'],
    ['circle-id', 9, '<CIRCLE_ID>'],
  ] as const)('is no proof of prerequisite.%s', async (id, number, value) => {
    expect(await ground.check(`prerequisite.${id}`)).toMatchObject({ result: 'pass' });
    parameter(number, value)(ground);
    expect(await ground.check(`prerequisite.${id}`)).toMatchObject({ result: 'not-checked' });
  });
});

describe('the agent’s own places', () => {
  const own = (text: string) =>
    text.replace(
      / {4}tools: false/,
      '    tools: false\n    agentFile: /opt/agent/bin/agent\n    toolsFile: /opt/agent/tools',
    );

  it('are the document’s, and the finding says so', async () => {
    expect(await ground.check('macos.agent-places')).toMatchObject({
      result: 'pass',
      found: 'as in the deployment interface',
    });
  });

  it('may be others: the finding says where they differ, and the attribute and the profile must follow', async () => {
    const { findings } = await ground.read(own);
    const results = findings.filter(({ result }) => result !== 'pass').map(({ check, result }) => `${check} ${result}`);
    expect(results).toEqual(['macos.extension-attribute unknown', 'macos.file-access-profile fail']);
    expect(findings.find(({ check }) => check === 'macos.agent-places')).toMatchObject({
      result: 'pass',
      found:
        'deployment.macos.agentFile is "/opt/agent/bin/agent", where the deployment interface has "/usr/local/fhfs/bin/fhagent"; ' +
        'deployment.macos.toolsFile is "/opt/agent/tools", where the deployment interface has "/usr/local/fhfs/bin/fhtools"',
    });
    put(attribute(ground), {
      script: (attribute(ground).script ?? '').replace(documentedAgent, '/opt/agent/bin/agent'),
    });
    replace(ground, 'Agent file access', documentedAgent, '/opt/agent/bin/agent');
    const repaired = await ground.read(own);
    expect(repaired.findings.filter(({ result }) => result !== 'pass')).toEqual([]);
  });
});

describe('what cannot be read', () => {
  it('never makes the source incomplete', async () => {
    ground.denied.push('Read Policies', 'Read Scripts', 'Read macOS Configuration Profiles');
    silent(ground);
    const { reading, findings } = await ground.read();
    expect(reading).toBe('complete');
    const unknown = findings.filter(({ result }) => result === 'unknown');
    expect(unknown).toHaveLength(8);
    expect(unknown.some(({ instrument }) => instrument)).toBe(false);
  });

  it('has its rows also where the platform does not answer at all', async () => {
    const whole = await ground.read();
    ground.sandbox.setFaults(['jamf/down:lasting']);
    const { reading, findings } = await ground.read();
    expect(reading).toBe('incomplete');
    expect(findings.map(({ check }) => check)).toEqual(whole.findings.map(({ check }) => check));
    // The two others need nothing of the platform: a person's word, and the settings.
    const own = findings.filter(({ check }) => check.startsWith('macos.') && !others.includes(check));
    expect(new Set(own.map(({ result }) => result))).toEqual(new Set(['unknown']));
  });

  it('is checked although the inventory then fails', async () => {
    ground.denied.push('Read Computers');
    const { reading, findings } = await ground.read();
    expect(reading).toBe('incomplete');
    const failed = findings.filter(({ result }) => result !== 'pass').map(({ check }) => check);
    expect(
      failed.filter((check) => !check.startsWith('macos.smart-group') && !check.startsWith('prerequisite')),
    ).toEqual([]);
  });
});

describe('what is not set', () => {
  const nothing = (text: string) => text.slice(0, text.indexOf('deployment:'));

  it('is not checked, but for the instrument and the two groups', async () => {
    const { findings } = await ground.read(nothing);
    const checked = findings.filter(({ result }) => result !== 'not-checked').map(({ check }) => check);
    expect(checked).toEqual([
      'macos.extension-attribute',
      'macos.smart-group-installed',
      'macos.smart-group-not-installed',
      'macos.permissions-read-only',
      'macos.agent-places',
    ]);
  });

  it('is not asked for either', async () => {
    const before = ground.sandbox.requests.length;
    await ground.read(nothing);
    const paths = ground.sandbox.requests.slice(before).map(({ path }) => path);
    expect(paths.filter((path) => /policies|scripts|profiles|download/.test(path))).toEqual([]);
  });

  it('of the groups is unknown: they are always checked', async () => {
    const finding = await ground.check('macos.smart-group-installed', (text) =>
      text.replace(/ {4}groups: \{ installed.*\n/, ''),
    );
    expect(finding).toMatchObject({ result: 'unknown', found: 'the settings name no smart groups' });
  });
});

const unattested = (id: string) => (text: string) => text.replace(new RegExp(`(, )?\\b${id}: [\\d-]+`), '');
const longAgo = (id: string) => (text: string) => text.replace(new RegExp(`\\b${id}: [\\d-]+`), `${id}: 2024-01-01`);

describe('the account in the policy', () => {
  const id = 'macos.account-read-only';

  it('is judged by its privileges where Muster signs in with the same one, whatever was attested', async () => {
    expect(await ground.check(id, unattested('account-read-only'))).toMatchObject({
      result: 'pass',
      found: expect.stringMatching(/^the account that Muster uses too; \d+ privileges, all read-only$/),
    });
    ground.granted.push('Update Computers');
    expect(await ground.check(id)).toMatchObject({
      result: 'fail',
      found: expect.stringContaining('Update Computers'),
    });
  });

  it('is attested where it is another one: what Muster itself may do says nothing about it', async () => {
    parameter(4, 'another-reader')(ground);
    ground.granted.push('Update Computers');
    expect(await ground.check(id)).toMatchObject({ result: 'pass', found: expect.stringContaining('attested on') });
    expect(await ground.check(id, longAgo('account-read-only'))).toMatchObject({ result: 'fail' });
    expect(await ground.check(id, unattested('account-read-only'))).toMatchObject({
      result: 'not-checked',
      advice: expect.stringContaining('parameter 4 of the policy'),
    });
  });

  it('is in no parameter of a directory-joined script', async () => {
    const directory = (text: string) => text.replace('identity: email', 'identity: directory');
    expect(await ground.check(id, directory)).toMatchObject({ result: 'not-checked' });
  });
});

describe('an API client', () => {
  it('of which the server says nothing is attested on its own', async () => {
    const own = await openGround('macs', { jamf: { signIn: 'client' } });
    const id = 'macos.permissions-read-only';
    expect(await own.check(id)).toMatchObject({ result: 'pass', found: expect.stringContaining('attested on') });
    expect(await own.check(id, unattested('api-client-read-only'))).toMatchObject({ result: 'not-checked' });
    expect(await own.check(id, longAgo('api-client-read-only'))).toMatchObject({ result: 'fail' });
    await own.close();
  });
});
