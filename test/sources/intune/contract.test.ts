import { intuneKind } from '../../../src/sources/intune/kind.ts';
import type { PlatformRequest, PlatformState, Purpose, SourceUnderTest } from '../../contracts/platform.ts';
import { sourceContract } from '../../contracts/source.ts';
import { archiveOf } from './archive.ts';
import { answerOf, csvOf, device, reply, rowOf, secret, windowsApp } from './tenant.ts';

const tenantId = '11111111-2222-3333-4444-555555555555';
const canaries = { clientId: 'canary-client-id', clientSecret: 'canary-client-secret', apiKey: secret };
/** More than may be looked up at once. */
const groups = Array.from({ length: 8 }, (_, index) => ({
  id: `aaaaaaaa-0000-0000-0000-00000000000${index}`,
  displayName: `Agent devices ${index}`,
}));

const purposes: Readonly<Record<string, Purpose>> = {
  [`/${tenantId}/oauth2/v2.0/token`]: 'sign-in',
  '/v1.0/deviceManagement/managedDevices': 'devices',
};

function purposeOf({ path }: PlatformRequest): Purpose {
  return path.startsWith('/exports/') ? 'download' : (purposes[path] ?? 'other');
}

/** The export jobs of each tenant: the first has the same name in all of them. */
const jobs = new WeakMap<PlatformState, Map<string, number>>();

const tenant: SourceUnderTest = {
  kind: intuneKind,
  settings: (origin) => ({
    name: 'windows',
    platform: 'intune',
    tenantId,
    auth: { clientId: 'env:CLIENT_ID', clientSecret: 'env:CLIENT_SECRET' },
    app: windowsApp.displayName,
    endpoints: { login: origin, graph: origin, downloads: origin },
  }),
  environment: { CLIENT_ID: canaries.clientId, CLIENT_SECRET: canaries.clientSecret },
  deployment: {
    identity: 'email',
    service: 'https://files.example.com',
    windows: { groups: groups.map(({ displayName }) => displayName), circleId: 'circle-42', memberRoleId: 'operator' },
  },
  answer(request, state) {
    const rows = state.devices.map(({ id }) => ({ ...rowOf(1), DeviceId: String(id).toUpperCase() }));
    if (purposeOf(request) === 'sign-in') {
      return reply({ token_type: 'Bearer', expires_in: 3600, access_token: state.token });
    }
    if (purposeOf(request) === 'download') {
      const columns = request.url.searchParams.get('columns')?.split(',') ?? [];
      return { body: archiveOf({ content: Buffer.from(csvOf(rows, columns)) }) };
    }
    if (request.path === '/v1.0/groups') {
      return reply({ value: groups });
    }
    const content = {
      ...{ devices: [...state.devices], rows, apps: [windowsApp], pageSize: state.pageSize, tokenSeconds: 3600 },
      ...{ count: () => state.claimed, mischief: () => undefined },
    };
    const started = jobs.get(state) ?? new Map<string, number>();
    jobs.set(state, started);
    return answerOf({ ...request, at: 'graph' }, content, started, state.linkOrigin, state.linkOrigin);
  },
  refuse: (request, status, planted) =>
    purposeOf(request) === 'sign-in'
      ? reply({ error: 'invalid_client', error_description: planted, error_codes: [7000215] }, status)
      : reply({ error: { code: 'Refused', message: planted } }, status),
  purposeOf,
  deviceId: (number) => String(device(number).id),
  device: (number, field) => {
    const { id, operatingSystem, ...optional } = device(number);
    const fields = Object.entries(optional).map(([name, usual]) => [name, field(String(usual))]);
    return { id, operatingSystem, ...Object.fromEntries(fields) };
  },
  secrets: Object.values(canaries),
  // Four of Graph, and a download or a sign-in beside them.
  requestsAtOnce: 5,
};

sourceContract('Microsoft Intune', tenant);
