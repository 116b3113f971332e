import { describe, expect, it } from 'vitest';
import { readSettings } from '../../src/compose/read-settings.ts';
import { sourceKinds } from '../../src/compose/source-kinds.ts';
import { emptyDeploymentSettings } from '../../src/deployment/settings.ts';
import { least } from '../settings/least.ts';
import { changed, full, listProblems } from './full-settings.ts';

const platforms = sourceKinds.map(({ kind }) => kind).join(', ');

const intune = `
  - name: windows
    platform: intune
    tenantId: 11111111-2222-3333-4444-555555555555
    auth: { clientId: some-id, clientSecret: env:GRAPH_CLIENT_SECRET }
    app: 99999999-8888-7777-6666-555555555555
`;

const gateway = '    gateway: { region: eu, environmentId: 22222222-3333-4444-5555-666666666666 }\n';

/** The least settings with this block in place of the server's address. */
function throughGateway(block: string): string {
  return changed('    url: https://example.jamfcloud.com\n', block);
}

describe('settings', () => {
  it('need only sources and a store; the rest has the documented defaults', () => {
    const { settings } = readSettings(least);
    expect(settings).toMatchObject({
      agent: { name: 'Endpoint agent' },
      retention: { nights: 400 },
      policy: {
        staleAfterDays: 30,
        graceHours: 72,
        overdueAfterDays: 14,
        breaker: { maximumFleetDropPercent: 20, maximumFlipPercent: 20, minimumDevices: 10 },
      },
      alerts: { channels: [], heartbeatFailsOn: ['undelivered'], quiet: false },
      schedule: { cron: '15 5 * * *', timezone: 'UTC' },
      privacy: { users: 'show' },
      sources: [{ name: 'macs', platform: 'jamf', site: '' }],
    });
    expect(settings?.policy.windowsStateMaxAgeDays).toBeUndefined();
    expect(settings?.policy.minimumCoverage).toBeUndefined();
    expect(settings?.deployment).toEqual(emptyDeploymentSettings);
    const { macos, windows } = emptyDeploymentSettings;
    expect(macos).toMatchObject({
      agentFile: '/usr/local/fhfs/bin/fhagent',
      toolsFile: '/usr/local/fhfs/bin/fhtools',
    });
    expect(windows.detection).toEqual({ path: 'C:\\Windows\\System32\\drivers', file: 'fhfs.sys' });
  });

  it('may name a gateway in place of an address [F2]', () => {
    const { settings, problems } = readSettings(throughGateway(gateway));
    expect(problems).toEqual([]);
    const environmentId = '22222222-3333-4444-5555-666666666666';
    expect(settings?.sources).toMatchObject([{ name: 'macs', gateway: { region: 'eu', environmentId } }]);
  });

  it('are understood in full, as the design writes them', () => {
    const { settings, problems } = readSettings(full);
    expect(problems).toEqual([]);
    expect(settings?.sources.map(({ platform }) => platform)).toEqual(['jamf', 'intune']);
    expect(settings?.deployment.canaries).toEqual([
      { source: 'macs', serial: 'C02AAAA00001', expect: 'Installed' },
      { source: 'windows', serial: 'PF2ABCDE', expect: 'Not Installed' },
    ]);
    expect(settings?.deployment.windows.detection).toEqual({
      path: 'C:\\Windows\\System32\\drivers',
      file: 'agent.sys',
    });
    expect(settings?.deployment.accepted).toEqual([{ sha256: 'a'.repeat(64), by: 'a person', on: '2026-10-02' }]);
    expect(settings?.alerts.channels.map(({ type }) => type)).toEqual(['sns', 'slack']);
  });

  it.each<[what: string, yaml: string, sentence: string]>([
    ['nothing at all', '', 'settings: must be a block'],
    ['no store', changed(/store.*/, ''), 'store: is missing.'],
    ['no sources', 'store: ./data', 'sources: is missing.'],
    ['an empty list of sources', 'store: ./data\nsources: []', 'sources: must name at least one source.'],
    [
      'a misspelt key of a source',
      changed('extensionAttribute:', 'extensionAtribute:'),
      'sources[0].extensionAtribute: is not a setting; did you mean "extensionAttribute"?',
    ],
    [
      'an unknown platform',
      changed('platform: jamf', 'platform: jam'),
      `sources[0].platform: is "jam"; did you mean "jamf"? it must be one of ${platforms}.`,
    ],
    ['no platform', changed('platform: jamf', ''), `sources[0].platform: is missing; it must be one of ${platforms}.`],
    [
      'a source that is no block',
      'store: ./data\nsources: [macs]',
      'sources[0]: must be a block with name and platform.',
    ],
    [
      'a literal secret [K3]',
      changed('env:JAMF_CLIENT_SECRET', 'hunter2'),
      'sources[0].auth.clientSecret: must be a reference to a secret',
    ],
    [
      'half a sign-in',
      changed(', clientSecret: env:JAMF_CLIENT_SECRET', ''),
      'sources[0].auth.clientSecret: is missing.',
    ],
    ['plain http [H20]', changed('https://example', 'http://example'), 'sources[0].url: must begin with https://'],
    [
      'an address with a path [K2]',
      changed('jamfcloud.com', 'jamfcloud.com/api'),
      'sources[0].url: must end after the host or its context path: leave out "api".',
    ],
    [
      'an address of a page [K2]',
      changed('jamfcloud.com', 'jamfcloud.com/context/computers.html'),
      'sources[0].url: must end after the host or its context path: leave out "computers.html".',
    ],
    [
      'an address with a path that servers read in different ways [K2]',
      changed('jamfcloud.com', 'jamfcloud.com/context/..%2fother'),
      'sources[0].url: must end after the host or its context path: leave out "..%2fother".',
    ],
    [
      'an address with a password [K2]',
      changed('https://example', 'https://a:b@example'),
      'sources[0].url: must not hold a user name or password.',
    ],
    [
      'a host for downloads with a user',
      `${least.replace('store: ./data', '')}${intune}    endpoints: { downloads: "https://*.user@blob.example.com" }\nstore: ./data`,
      'sources[1].endpoints.downloads: must not hold a user name or password.',
    ],
    [
      'neither an address nor a gateway, beside another problem [F2]',
      changed('    url: https://example.jamfcloud.com\n', '    sit: Berlin\n'),
      'sources[0].url: is missing; a source has either url, the address of the server, or gateway.',
    ],
    [
      'an address and a gateway [F2]',
      changed('jamfcloud.com\n', `jamfcloud.com\n${gateway}`),
      'sources[0].gateway: stands beside url; a source has either url, the address of the server, or gateway.',
    ],
    [
      'an account at the gateway [F2]',
      throughGateway(gateway).replace(/auth: .*/, 'auth: { username: reader, password: env:JAMF_PASSWORD }'),
      'sources[0].auth: must be clientId and clientSecret of an integration in Jamf Account',
    ],
    [
      'a region that is none [F2]',
      throughGateway(gateway.replace('region: eu', 'region: apa')),
      'sources[0].gateway.region: is "apa"; did you mean "apac"? it must be one of us, eu, apac.',
    ],
    [
      'an environment that no header can hold [F2]',
      throughGateway(gateway.replace('environmentId: 2', 'environmentId: Ü')),
      'sources[0].gateway.environmentId: must be the id of a platform environment',
    ],
    ['no address [K2]', changed('https://example.jamfcloud.com', 'example'), 'sources[0].url: is not a URL'],
    [
      'a name that is taken',
      `${least.replace('store: ./data', '')}${intune.replace('name: windows', 'name: MACS')}store: ./data`,
      'sources[1].name: is "MACS", as is sources[0].name; names must differ.',
    ],
    ['the name of the total', changed('name: macs', 'name: all'), 'sources[0].name: must not be "all"'],
    ['a name that is a path', changed('name: macs', 'name: ../macs'), 'sources[0].name: must be letters'],
    [
      'two channels whose names differ only in case [R15]',
      `${least}alerts: { channels: [{ type: slack, name: soc, url: env:A }, { type: teams, name: SOC, url: env:B }] }`,
      'alerts.channels[1]: is "SOC", which is the name of another channel.',
    ],
    [
      'a canary among PCs without a digit',
      `${least.replace('store: ./data', '')}${intune}store: ./data\ndeployment: { canaries: [{ source: windows, serial: ABCDEFGHIJ, expect: Installed }] }`,
      'deployment.canaries[0].serial: is "ABCDEFGHIJ", which is no machine\'s own serial number.',
    ],
    ['an alias within itself [R11]', `${least}x: &x [*x]`, 'settings: an alias (*name) stands inside its own anchor'],
    ['a second document [R11]', `${least}---\nstore: ./other`, 'settings: line 9, column 1: a second document begins'],
    [
      'no tenant',
      `${least.replace('store: ./data', '')}${intune.replace(/tenantId.*/, 'tenantId: example')}store: ./data`,
      'sources[1].tenantId: must be the tenant',
    ],
    [
      'an empty list of apps',
      `${least.replace('store: ./data', '')}${intune.replace(/app:.*/, 'app: []')}store: ./data`,
      'sources[1].app: must name at least one app.',
    ],
  ])('with %s are refused in a sentence [K1]', (_, yaml, sentence) => {
    expect(listProblems(yaml).join('\n')).toContain(sentence);
  });

  it.each([
    ...[
      'gs://bucket',
      's3//bucket',
      's3:/bucket',
      's3:bucket',
      'S3://bucket',
      's3://Bucket',
      '//bucket',
      'bucket//runs',
    ],
    ...['arn:aws:s3:::bucket', 'bucket.s3.eu-central-1.amazonaws.com/runs'],
  ])('with %s as a store are refused: it is neither a folder nor a bucket', (place) => {
    expect(listProblems(changed('./data', place))).toEqual(['store: must be a folder or s3://bucket/prefix.']);
  });

  it.each(['data', './s3/bucket', '/srv/muster', '../data', 'C:\\muster', 'C:/muster', 's3://bucket/runs'])(
    'may keep runs in %s',
    (place) => expect(listProblems(changed('./data', place))).toEqual([]),
  );

  it.each([
    [
      'an unclosed brace',
      changed('store: ./data', 'policy: { staleAfterDays: 30\nstore: ./data'),
      /line 9, .* bracket before it is not closed/,
    ],
    ['a tab', changed('    platform', '\t    platform'), /tab/],
  ])('with %s have one problem: the rest follows from it', (_, yaml, sentence) => {
    expect(listProblems(yaml)).toEqual([expect.stringMatching(sentence)]);
  });

  it('with a setting twice, and another, have two problems', () => {
    const problems = listProblems(`${least}store: ./a\nsources: []\n`);
    expect(problems.filter((problem) => problem.includes('stands twice'))).toHaveLength(2);
  });

  const lines: Readonly<Record<string, string>> = {
    'polcy: {}': 'polcy: is not a setting; did you mean "policy"?',
    'policy: { staleAfterDays: -1 }': 'policy.staleAfterDays: must be a number from 0 to 3650.',
    'retention: { nights: 0 }': 'retention.nights: must be a number from 1',
    'schedule: { cron: "61 5 * * *" }': 'schedule.cron: is not a cron expression',
    'schedule: { cron: "*/5 * * * *" }': 'schedule.cron: fires more than once a day',
    'privacy: { users: hash }': 'privacy: users: hash needs key',
    'privacy: { users: hash, key: sesame }': 'privacy.key: must be a reference',
    'privacy: { users: omitt }': 'privacy.users: is "omitt"; did you mean "omit"?',
    'alerts: { channels: [{ type: pager }] }': 'alerts.channels[0].type: is "pager"; it must be one of sns',
    'alerts: { channels: [{ type: slak, url: env:A }] }':
      'alerts.channels[0].type: is "slak"; did you mean "slack"? it must be one of sns',
    'timezone: Europe/London': 'timezone: is not a setting; did you mean "schedule.timezone"?',
    'nights: 30': 'nights: is not a setting; did you mean "retention.nights"?',
    'alerts: { channels: [{ type: slack, url: env:A }, { type: slack, name: soc, url: env:B }] }':
      'alerts.channels[0]: another channel is slack too: give each a name.',
    'alerts: { channels: [{ type: slack, name: soc, url: env:A }, { type: teams, name: soc, url: env:B }] }':
      'alerts.channels[1]: is "soc", which is the name of another channel.',
    'alerts: { channels: [{ type: slack, url: env:A, only: { kinds: [device.list] } }] }':
      'alerts.channels[0].only.kinds[0]: is "device.list"; did you mean "device.lost"?',
    'alerts: { channels: [{ type: smtp, host: m.example.com, from: a@example.com, to: [b@example.com], user: env:U, password: env:P, auth: { clientId: id, clientSecret: env:S } }] }':
      'alerts.channels[0]: has both auth and password: leave the password out.',
    'alerts: { channels: [{ type: smtp, host: m.example.com, from: a@example.com, to: [b@example.com], auth: { clientId: id, clientSecret: secret } }] }':
      'alerts.channels[0].auth.clientSecret: must be a reference',
    'alerts: { channels: [{ type: graph-mail, from: a@example.com, to: [b@example.com], tenantId: example, auth: { clientId: id, certificate: env:C } }] }':
      'alerts.channels[0].tenantId: must be the tenant’s id (a GUID) or its domain',
    'alerts: { channels: [{ type: slack, url: "https://hooks.example.com/x" }] }':
      'alerts.channels[0].url: must be a reference',
    'deployment: { windows: { alsoAssigned: [{ target: everybody }] } }':
      'deployment.windows.alsoAssigned[0].target: is "everybody"; it must be one of group, allDevices, allUsers.',
    'deployment: { windows: { alsoAssigned: [{ target: group }] } }':
      'deployment.windows.alsoAssigned[0]: target: group needs group, an id or exact name',
    'deployment: { windows: { alsoAssigned: [{ target: allDevices, exclude: true }] } }':
      'deployment.windows.alsoAssigned[0]: only a group can be excluded',
    'deployment: { attested: { api-key: 2026-13-01 } }': 'deployment.attested.api-key: must be a date',
    'deployment: { attested: { account-readonly: 2026-10-01 } }':
      'deployment.attested.account-readonly: is not a setting; did you mean "account-read-only"?',
    'deployment: { canaries: [{ source: mac, serial: C02AAAA00001, expect: Installed }] }':
      'deployment.canaries[0].source: is "mac"; did you mean "macs"? it must be one of macs.',
    'deployment: { canaries: [{ source: macs, serial: To be filled by O.E.M., expect: Installed }] }':
      'deployment.canaries[0].serial: is "To be filled by O.E.M.", which is no machine\'s own serial number.',
    'deployment: { canaries: [{ source: macs, serial: C02AAAA00001, expect: installed }] }':
      'deployment.canaries[0].expect: is "installed"; did you mean "Installed"? it must be one of Installed, Not Installed.',
    'deployment: { canaries: [{ source: macs, serial: C02AAAA00001, expect: Installed }, { source: macs, serial: c02aaaa-00001, expect: Not Installed }] }':
      'deployment.canaries[1].serial: is "c02aaaa-00001", the machine of deployment.canaries[0]; name each once.',
    'deployment: { macos: { agentFile: bin/agent } }': 'deployment.macos.agentFile: must be the whole path of a file',
    "deployment: { windows: { detection: { file: 'drivers\\fhfs.sys' } } }":
      'deployment.windows.detection.file: must be the name of a file',
    'deployment: { windows: { detection: { path: C:/Windows } } }':
      'deployment.windows.detection.path: must be a whole path',
    [`deployment: { accepted: [{ sha256: ${'a'.repeat(64)}, by: YOUR NAME, on: 2026-10-02 }] }`]:
      'deployment.accepted[0].by: must be the name of the person who read it.',
    'store: ./other': 'this setting stands twice in its block',
    'policy: {': 'settings: ',
  };
  it.each(Object.entries(lines))('with the line %s are refused in a sentence', (line, sentence) => {
    expect(listProblems(`${least}${line}`).join('\n')).toContain(sentence);
  });

  it('tell every unknown name at once, whatever is misspelt beside it', () => {
    const problems = listProblems(
      `${least.replace('sources:', 'source:')}timezone: UTC\nwhatever: 1\npolicy: { staleAfter: 3, grace: 1 }\n`,
    );
    expect(problems.map((problem) => problem.replace(/; settings here.*/, ''))).toEqual([
      'sources: is missing.',
      expect.stringMatching(/^policy.staleAfter: is not a setting; did you mean "staleAfterDays"\?$/),
      'policy.grace: is not a setting.',
      'source: is not a setting; did you mean "sources"?',
      'timezone: is not a setting; did you mean "schedule.timezone"?',
      'whatever: is not a setting.',
    ]);
  });

  it('tell every problem at once, and never the secret that was written in [K1, K3]', () => {
    const ten = `
agnt: { name: x }
sources:
  - { name: macs, platform: jamf, url: "http://example.com", auth: { clientId: a, clientSecret: canary-secret-1 }, extensionAttribute: x, sit: y }
  - { name: linux, platform: kandji, token: 1, password: canary-secret-2, url: "http://example.com" }
store: ftp://example
policy: { staleAfterDays: soon, breaker: { minimumDevice: 1 } }
schedule: { cron: "* * * * *", timezone: Nowhere }
privacy: { users: hide }
`;
    const problems = listProblems(ten);
    expect(problems.length).toBeGreaterThanOrEqual(13);
    expect(problems.join('\n')).not.toContain('canary-secret');
    expect(problems.join('\n')).toContain('sources[1].password: must be a reference to a secret');
    expect(problems.join('\n')).toContain('sources[1].url: must begin with https://');
  });

  it('name every environment variable that is not set, where secrets are needed', () => {
    expect(listProblems(least, { JAMF_CLIENT_ID: 'id' })).toEqual([
      'sources[0].auth.clientSecret: refers to the environment variable JAMF_CLIENT_SECRET, which is not set.',
    ]);
    expect(listProblems(least, { JAMF_CLIENT_ID: 'id', JAMF_CLIENT_SECRET: 'secret' })).toEqual([]);
    expect(listProblems(least)).toEqual([]);
  });

  it('allow plain http on this machine alone [H20]', () => {
    expect(listProblems(changed('https://example.jamfcloud.com', 'http://127.0.0.1:8080'))).toEqual([]);
    expect(listProblems(changed('https://example.jamfcloud.com', 'http://localhost:8080'))).toEqual([]);
    expect(listProblems(changed('https://example.jamfcloud.com', 'http://127.example.com'))).not.toEqual([]);
  });

  it('do not grow out of a few aliases [K1]', () => {
    const bomb = `${least}x: &a [1,1,1,1,1,1,1,1,1]\ny: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nz: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nw: [*c,*c,*c,*c,*c,*c]`;
    expect(listProblems(bomb).length).toBeGreaterThan(0);
  });
});
