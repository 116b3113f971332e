/** A Jamf Pro server as the contract of a source sees it: what it answers, and how it refuses. */
import { jamfKind } from '../../../src/sources/jamf/kind.ts';
import type { PlatformReply, PlatformRequest, PlatformState, SourceUnderTest } from '../../contracts/platform.ts';

const canaries = {
  clientId: 'canary-client-id',
  clientSecret: 'canary-client-secret',
  username: 'canary-username',
  password: 'canary-password',
  apiKey: 'canary-of-policy-parameter-8',
  script: 'canary-in-the-script',
};
const encodedAccount = Buffer.from(`${canaries.username}:${canaries.password}`).toString('base64');

const script = `#!/bin/sh\necho "<result>${canaries.script}</result>"\n`;
const attribute = {
  id: '6',
  name: 'Agent Status',
  enabled: true,
  dataType: 'STRING',
  inputType: 'SCRIPT',
  inventoryDisplayType: 'GENERAL',
  scriptContents: script,
};
const groups = [
  { id: '21', name: 'Agent Installed', holds: 'Installed' },
  { id: '22', name: 'Agent Not Installed', holds: 'Not Installed' },
] as const;

/** Installed on every other one. */
function stateOf(number: number): string {
  return number % 2 === 1 ? 'Installed' : 'Not Installed';
}

function device(number: number, field: (usual: string) => unknown): Record<string, unknown> {
  return {
    id: String(number),
    udid: null,
    general: {
      name: field(`MAC-${number}`),
      platform: 'Mac',
      remoteManagement: { managed: true, managementUsername: null },
      reportDate: field('2026-10-06T23:57:00.65Z'),
      lastContact: field('2026-10-07T03:55:32Z'),
      lastEnrolledDate: field('2025-12-16T15:50:57Z'),
      initialEntryDate: null,
      extensionAttributes: [{ definitionId: '6', name: 'Agent Status', values: [field(stateOf(number))] }],
    },
    hardware: { model: field('Mac Studio'), serialNumber: field(`LYF${number}`), extensionAttributes: [] },
    userAndLocation: { username: field(`user${number}`), email: null, extensionAttributes: [] },
    operatingSystem: { version: field('15.2.0'), extensionAttributes: [] },
    purchasing: null,
    extensionAttributes: null,
  };
}

const isInventory = ({ path }: PlatformRequest) => path.endsWith('/computers-inventory');
const order = ({ url }: PlatformRequest) => url.searchParams.get('sort');

function inventory(request: PlatformRequest, { devices, claimed, pageSize }: PlatformState): PlatformReply {
  const { searchParams } = request.url;
  const wanted = /^id=in=\((.*)\)$/.exec(searchParams.get('filter') ?? '')?.[1]?.split(',');
  if (wanted !== undefined) {
    const results = devices.filter(({ id }) => wanted.includes(String(id)));
    return { body: { totalCount: results.length, results } };
  }
  const listed = order(request) === 'id:desc' ? devices.toReversed() : devices;
  const size = Math.min(pageSize, Number(searchParams.get('page-size')));
  const from = Number(searchParams.get('page')) * size;
  return { body: { totalCount: claimed, results: listed.slice(from, from + size) } };
}

/** By method and path: the API client's sign-in and the account's, the definition, the groups, the deployment. */
const routes: Readonly<Record<string, (state: PlatformState) => unknown>> = {
  'POST /api/v1/oauth/token': ({ token }) => ({ access_token: token, token_type: 'Bearer', expires_in: 1799 }),
  'POST /api/v1/auth/token': ({ token }) => ({ token, expires: '2026-10-07T05:45:00.5Z' }),
  'GET /api/v1/auth': () => ({
    account: { accessLevel: 'FullAccess', privilegesBySite: { '-1': ['Read Computers'] } },
  }),
  'GET /api/v1/computer-extension-attributes': () => ({ totalCount: 1, results: [attribute] }),
  'GET /api/v3/computer-groups/smart-groups': () => ({
    totalCount: groups.length,
    results: groups.map(({ id, name }) => ({ id, name })),
  }),
  ...Object.fromEntries(
    groups.flatMap(({ id, holds }) => [
      [
        `GET /api/v3/computer-groups/smart-groups/${id}`,
        () => ({ criteria: [{ name: 'Agent Status', searchType: 'is', value: holds }] }),
      ],
      [
        `GET /api/v3/computer-groups/smart-group-membership/${id}`,
        ({ devices }: PlatformState) => ({
          members: devices.map((one) => Number(one.id)).filter((number) => stateOf(number) === holds),
        }),
      ],
    ]),
  ),
  'GET /api/v1/scripts': () => ({
    totalCount: 1,
    results: [{ id: '3', name: 'enroll.sh', scriptContents: script, parameter4: 'Service' }],
  }),
  'GET /JSSResource/policies': () => '<policies><policy><id>8</id><name>Deploy agent</name></policy></policies>',
  'GET /JSSResource/policies/id/8': () =>
    '<policy><general><enabled>true</enabled></general><scripts><script><name>enroll.sh</name>' +
    `<parameter8>${canaries.apiKey}</parameter8></script></scripts></policy>`,
  'GET /JSSResource/osxconfigurationprofiles': () =>
    '<os_x_configuration_profiles><os_x_configuration_profile><id>9</id><name>Agent file access</name>' +
    '</os_x_configuration_profile></os_x_configuration_profiles>',
  'GET /JSSResource/osxconfigurationprofiles/id/9': () =>
    `<os_x_configuration_profile><general><payloads>${canaries.apiKey}</payloads></general></os_x_configuration_profile>`,
};

export const asClient = { clientId: 'env:CLIENT_ID', clientSecret: 'env:CLIENT_SECRET' };
export const asAccount = { username: 'env:USERNAME', password: 'env:PASSWORD' };

export function jamfPro(auth: object, at: (origin: string) => object = (url) => ({ url })): SourceUnderTest {
  return {
    kind: jamfKind,
    settings: (origin) => ({
      name: 'macs',
      platform: 'jamf',
      ...at(origin),
      auth,
      extensionAttribute: 'Agent Status',
      groups: { installed: 'Agent Installed', notInstalled: 'Agent Not Installed' },
    }),
    environment: {
      CLIENT_ID: canaries.clientId,
      CLIENT_SECRET: canaries.clientSecret,
      USERNAME: canaries.username,
      PASSWORD: canaries.password,
    },
    deployment: {
      identity: 'email',
      macos: {
        applicationFolder: '/Applications/Agent.app',
        policy: 'Deploy agent',
        script: 'enroll.sh',
        profiles: { fileAccess: 'Agent file access' },
      },
    },
    answer(request, state) {
      if (isInventory(request)) {
        return inventory(request, state);
      }
      const route = routes[`${request.method} ${request.path}`];
      return route ? { body: route(state) } : { status: 404, body: '<html><p>Not Found</p></html>' };
    },
    refuse: (request, status, planted) => ({
      status,
      body: /\/(oauth|auth)\/token$/.test(request.path)
        ? { error: 'invalid_client', error_description: planted }
        : { httpStatus: status, errors: [{ code: 'INVALID', description: planted, field: planted }] },
    }),
    purposeOf(request) {
      if (request.path.endsWith('/token')) {
        return 'sign-in';
      }
      return isInventory(request) && order(request) === 'id:asc' ? 'devices' : 'other';
    },
    deviceId: String,
    device,
    secrets: [...Object.values(canaries), encodedAccount],
    // https://developer.jamf.com/developer-guide/docs/jamf-pro-api-scalability-best-practices
    requestsAtOnce: 5,
  };
}

const environmentId = '22222222-3333-4444-5555-666666666666';

/** The same server behind the gateway: nothing is answered at its own paths, or without the environment. */
export function behindGateway(auth: object): SourceUnderTest {
  const subject = jamfPro(auth, (endpoint) => ({ gateway: { region: 'eu', endpoint, environmentId } }));
  return {
    ...subject,
    answer(request, state) {
      const { path, headers } = request;
      if (path === '/auth/token') {
        return subject.answer({ ...request, path: '/api/v1/oauth/token' }, state);
      }
      if (headers['x-environment-id'] !== environmentId || !/^\/pro(classic)?\//.test(path)) {
        return { status: 404, body: '404 page not found' };
      }
      const inside = path.replace(/^\/pro\//, '/api/').replace(/^\/proclassic\//, '/JSSResource/');
      return subject.answer({ ...request, path: inside }, state);
    },
  };
}
