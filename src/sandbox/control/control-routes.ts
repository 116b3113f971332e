/** The routes by which another process steers the sandbox; they are no part of any platform. */
import {
  type PlatformRequest,
  type PlatformResponse,
  readJsonBody,
  respondJson,
  toText,
} from '../platforms/request.ts';
import type { DeviceChange } from './simulation-state.ts';

type SourceName = 'macs' | 'windows';

export interface SandboxControls {
  truth(moment?: Date): unknown;
  requests(): unknown;
  leaks(): unknown;
  violations(): unknown;
  settings(): string;
  environment(): unknown;
  setMoment(moment: Date): void;
  setFaults(names: readonly string[]): void;
  removeShareOfDevices(percent: number, source?: SourceName): void;
  flipShareOfDevices(percent: number, source?: SourceName): void;
  restoreDevices(): void;
  changeDevice(source: SourceName, deviceId: string, change: DeviceChange): void;
}

export function routeControl(controls: SandboxControls, request: PlatformRequest): PlatformResponse | undefined {
  if (!request.path.startsWith('/sandbox/')) {
    return undefined;
  }
  switch (`${request.method} ${request.path}`) {
    case 'GET /sandbox/truth':
      return respondTruth(controls, request);
    case 'GET /sandbox/requests':
      return respondJson(200, controls.requests());
    case 'GET /sandbox/leaks':
      return respondJson(200, controls.leaks());
    case 'GET /sandbox/violations':
      return respondJson(200, controls.violations());
    case 'GET /sandbox/environment':
      return respondJson(200, controls.environment());
    case 'GET /sandbox/settings':
      return { status: 200, headers: { 'content-type': 'application/yaml' }, body: controls.settings() };
    case 'POST /sandbox/moment':
      return handleSetMoment(controls, request);
    case 'POST /sandbox/faults':
      return handleSetFaults(controls, request);
    case 'POST /sandbox/fleet/remove':
      controls.removeShareOfDevices(readPercent(request), readSource(request));
      return respondJson(200, {});
    case 'POST /sandbox/fleet/flip':
      controls.flipShareOfDevices(readPercent(request), readSource(request));
      return respondJson(200, {});
    case 'POST /sandbox/device':
      return handleChangeDevice(controls, request);
    case 'POST /sandbox/fleet/restore':
      controls.restoreDevices();
      return respondJson(200, {});
    default:
      return respondJson(404, { error: `no control route ${request.method} ${request.path}` });
  }
}

/** `?moment=` is the moment at which ages are judged. */
function respondTruth(controls: SandboxControls, request: PlatformRequest): PlatformResponse {
  const asked = request.query.get('moment');
  const moment = asked === null ? undefined : new Date(asked);
  return Number.isNaN(moment?.getTime())
    ? respondJson(400, { error: 'moment is no date' })
    : respondJson(200, controls.truth(moment));
}

function handleSetMoment(controls: SandboxControls, request: PlatformRequest): PlatformResponse {
  const moment = new Date(toText(readJsonBody(request).moment));
  if (Number.isNaN(moment.getTime())) {
    return respondJson(400, { error: 'moment is no date' });
  }
  controls.setMoment(moment);
  return respondJson(200, { moment: moment.toISOString() });
}

function handleSetFaults(controls: SandboxControls, request: PlatformRequest): PlatformResponse {
  const { faults } = readJsonBody(request);
  const names = Array.isArray(faults) ? faults.map(String) : [];
  try {
    controls.setFaults(names);
    return respondJson(200, { faults: names });
  } catch (error) {
    return respondJson(400, { error: error instanceof Error ? error.message : String(error) });
  }
}

function readPercent(request: PlatformRequest): number {
  return Number(readJsonBody(request).percent ?? 0);
}

function readSource(request: PlatformRequest): SourceName | undefined {
  const { source } = readJsonBody(request);
  return source === 'macs' || source === 'windows' ? source : undefined;
}

function handleChangeDevice(controls: SandboxControls, request: PlatformRequest): PlatformResponse {
  const { device_id, change } = readJsonBody(request);
  try {
    controls.changeDevice(readSource(request) ?? 'macs', toText(device_id), (change ?? {}) as DeviceChange);
    return respondJson(200, {});
  } catch (error) {
    return respondJson(400, { error: error instanceof Error ? error.message : String(error) });
  }
}
