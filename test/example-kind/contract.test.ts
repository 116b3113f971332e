import type { SourceUnderTest } from '../contracts/platform.ts';
import { sourceContract } from '../contracts/source.ts';
import { fleetKind } from './kind.ts';
import { answerAsFleet, makeHost, policyName, token } from './server.ts';

const fleet: SourceUnderTest = {
  kind: fleetKind,
  settings: (url) => ({ name: 'hosts', platform: 'fleet', url, token: 'env:FLEET_TOKEN', policy: policyName }),
  environment: { FLEET_TOKEN: token },
  token,
  answer: answerAsFleet,
  refuse: (_request, status, planted) => ({
    status,
    body: { message: planted, errors: [{ name: 'base', reason: planted }] },
  }),
  purposeOf: ({ path }) => (path === '/api/v1/fleet/hosts' ? 'devices' : 'other'),
  deviceId: String,
  device: makeHost,
  secrets: [token],
  requestsAtOnce: 1,
};

sourceContract('Fleet', fleet);
