/** Every check of a Jamf Pro source through HTTP: as documented, in several ways not, and not readable. */
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { JamfPolicy } from '../../simulator/platforms/jamf/jamf-objects.ts';
import { first, type Ground, named, openGround, put } from './ground.ts';

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

const attribute = ({ simulator }: Ground) => named(simulator.jamf.attributes, 'Agent Status');
const group = ({ simulator }: Ground, name: string) => named(simulator.jamf.groups, name);
const policy = ({ simulator }: Ground) => named(simulator.jamf.policies, 'Deploy endpoint agent');
const script = ({ simulator }: Ground) => named(simulator.jamf.scripts, 'enroll.sh');
const profile = ({ simulator }: Ground, name: string) => named(simulator.jamf.profiles, name);

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
const silent = (at: Ground): void => put(at.simulator.service, { instead: { status: 503 } });
const serves = (instead: Ground['simulator']['service']['instead']) => (at: Ground) =>
  put(at.simulator.service, { instead: instead });

/** What shows that a drift is read; `jamf-rules.test.ts` has every rule. */
const drifts: Readonly<Record<string, Drift>> = {
  'macos.extension-attribute': {
    fails: [
      ['disabled', (at) => put(attribute(at), { enabled: false })],
      ['gone', (at) => remove(at.simulator.jamf.attributes, 'Agent Status')],
    ],
    unreadable: without('Read Computer Extension Attributes'),
  },
  'macos.smart-group-installed': {
    fails: [['without criteria', (at) => put(group(at, 'Agent Installed'), { criteria: [] })]],
    unreadable: without('Read Smart Computer Groups'),
  },
  'macos.smart-group-not-installed': {
    fails: [
      ['with another value', (at) => put(first(group(at, 'Agent Not Installed').criteria), { value: 'installed' })],
    ],
    unreadable: without('Read Smart Computer Groups'),
  },
  'macos.policy': {
    fails: [
      ['disabled', changePolicy({ enabled: false })],
      ['for all computers less all managed', changePolicy({ allComputers: true, groupIds: [], excludedGroupIds: [1] })],
      ['for a group less a static one with the same computers', (at) => excludeEach(at)],
    ],
    unreadable: without('Read Policies'),
  },
  'macos.policy-parameters': {
    fails: [
      ['without the API key', parameter(8, '')],
      ['with a slash behind the service', (at) => parameter(7, `${new URL(at.simulator.urls.service).host}/`)(at)],
    ],
    unreadable: without('Read Policies'),
  },
  'macos.update-inventory': {
    fails: [['off', changePolicy({ updateInventory: false })]],
    unreadable: without('Read Policies'),
  },
  'macos.script': {
    fails: [['with two labels swapped', (at) => void script(at).labels.splice(0, 2, 'mdmPass', 'mdmUser')]],
    unreadable: without('Read Scripts'),
  },
  'macos.extension-profile': {
    fails: [['for nobody', (at) => put(profile(at, 'Agent kernel extension'), { excludedGroupIds: [1] })]],
    unreadable: without('Read macOS Configuration Profiles'),
  },
  'macos.file-access-profile': {
    fails: [['without the agent', (at) => replace(at, 'Agent file access', /fhagent/g, 'fhother')]],
    unreadable: without('Read macOS Configuration Profiles'),
  },
  'macos.permissions-read-only': {
    fails: [['that may update', ({ granted }) => void granted.push('Update Computers')]],
    unreadable: [(at) => at.simulator.setFaults(['jamf/down:lasting']), 'not read'],
  },
  'service.package': {
    fails: [['elsewhere', serves({ status: 302, headers: { location: 'https://elsewhere.example.com/' } })]],
    unreadable: [silent, 'request-failed'],
  },
  'service.bundle': {
    fails: [['gzip, but no tar', (at) => put(at.simulator.service, { bundle: gzipSync('hello'.repeat(500)) })]],
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

it('the scope of the policy costs no further request without exclusions of computers', async () => {
  const before = ground.simulator.requests.length;
  await ground.read();
  const paths = ground.simulator.requests.slice(before).map(({ path }) => path);
  expect(paths.filter((path) => /membership|computergroups/.test(path))).toHaveLength(2);
});

it('a control character in the name of another object costs no check [M9]', async () => {
  const { jamf } = ground.simulator;
  for (const objects of [jamf.policies, jamf.scripts, jamf.profiles, jamf.groups]) {
    const [first] = objects;
    objects.push({ ...structuredClone(first), id: 990, name: 'Rename\u0001 \u000b\u001f it' } as never);
  }
  const { findings } = await ground.read();
  expect(findings.filter(({ result }) => result !== 'pass')).toEqual([]);
});

describe('a smart group of one site [M11]', () => {
  const found = 'it belongs to the site "Branch", so it holds Macs of that site alone';

  it('is not compared with devices of other sites, and the finding names the site', async () => {
    put(group(ground, 'Agent Installed'), { site: 'branch' });
    const { findings, groups } = await ground.read();
    expect(findings.filter(({ result }) => result !== 'pass')).toMatchObject([
      { check: 'macos.smart-group-installed', result: 'fail', found, advice: expect.stringContaining('None') },
    ]);
    expect(groups).toMatchObject([{ holds: 'Installed', problem: found }, { members: targets.map(String).toSorted() }]);
  });

  it('is right where the account is meant to see one site', async () => {
    put(group(ground, 'Agent Installed'), { site: 'branch' });
    const { findings, groups } = await ground.read((text) =>
      text.replace(/^( +)platform: jamf$/m, '$&\n$1site: Branch'),
    );
    expect(findings.filter(({ result }) => result !== 'pass')).toEqual([]);
    expect(groups).toMatchObject([{ members: expect.anything() }, { members: expect.anything() }]);
  });
});

describe('the agent’s own places', () => {
  const own = (text: string) =>
    text.replace(
      / {4}tools: false/,
      '    tools: false\n    agentFile: /opt/agent/bin/agent\n    toolsFile: /opt/agent/tools',
    );

  it('may be others: the finding says where they differ, and the attribute and the profile must follow', async () => {
    const { findings } = await ground.read(own);
    const results = findings.filter(({ result }) => result !== 'pass').map(({ check, result }) => `${check} ${result}`);
    expect(results).toEqual(['macos.extension-attribute fail', 'macos.file-access-profile fail']);
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
    expect(unknown).not.toHaveLength(0);
    expect(unknown.some(({ instrument }) => instrument)).toBe(false);
  });

  it('has its rows also where the platform does not answer at all', async () => {
    const whole = await ground.read();
    ground.simulator.setFaults(['jamf/down:lasting']);
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
});

const unattested = (id: string) => (text: string) => text.replace(new RegExp(`(, )?\\b${id}: [\\d-]+`), '');
const longAgo = (id: string) => (text: string) => text.replace(new RegExp(`\\b${id}: [\\d-]+`), `${id}: 2024-01-01`);

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
