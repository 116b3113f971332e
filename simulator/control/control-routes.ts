/** The routes by which another process controls the sandbox; they belong to no platform. */
import type { SourceName } from '../devices/model.ts';
import type { TruthRow } from '../devices/truth.ts';
import { type PlatformRequest, readJsonBody, toObject, toText } from '../platforms/request.ts';
import { type PlatformResponse, respondJson, respondOrRefuse } from '../platforms/response.ts';
import { type DeviceChange, sourceNames } from './change-devices.ts';
import type { RequestRecord } from './request-audit.ts';

/** What may be asked of the sandbox, and done to its time, its devices and its faults, while it runs. */
export interface SandboxControls {
  readonly environment: Record<string, string>;
  readonly requests: readonly RequestRecord[];
  readonly leaks: readonly string[];
  readonly violations: readonly string[];
  settings(): string;
  truth(moment?: Date, staleAfterDays?: number): TruthRow[];
  setFaults(names: readonly string[]): void;
  setMoment(moment: Date): void;
  changeDevice(source: SourceName, deviceId: string, change: DeviceChange): void;
  /** Where no source is named, devices of every source are meant. */
  removeShareOfDevices(percent: number, source?: SourceName): void;
  /** Where no source is named, devices of every source are meant, but for canaries. */
  flipShareOfDevices(percent: number, source?: SourceName): void;
  restoreDevices(): void;
}

export function routeControl(controls: SandboxControls, request: PlatformRequest): PlatformResponse | undefined {
  if (!request.path.startsWith('/sandbox/')) {
    return undefined;
  }
  switch (`${request.method} ${request.path}`) {
    case 'GET /sandbox/truth':
      return respondTruth(controls, request);
    case 'GET /sandbox/requests':
      return respondJson(200, controls.requests);
    case 'GET /sandbox/leaks':
      return respondJson(200, controls.leaks);
    case 'GET /sandbox/violations':
      return respondJson(200, controls.violations);
    case 'GET /sandbox/environment':
      return respondJson(200, controls.environment);
    case 'GET /sandbox/settings':
      return { status: 200, headers: { 'content-type': 'application/yaml' }, body: controls.settings() };
    case 'POST /sandbox/moment':
      return changeMoment(controls, request);
    case 'POST /sandbox/faults':
      return changeFaults(controls, request);
    case 'POST /sandbox/fleet/remove':
      controls.removeShareOfDevices(readPercent(request), readSourceName(request));
      return respondJson(200, {});
    case 'POST /sandbox/fleet/flip':
      controls.flipShareOfDevices(readPercent(request), readSourceName(request));
      return respondJson(200, {});
    case 'POST /sandbox/device':
      return changeOneDevice(controls, request);
    case 'POST /sandbox/fleet/restore':
      controls.restoreDevices();
      return respondJson(200, {});
    default:
      return respondJson(404, { error: `no control route ${request.method} ${request.path}` });
  }
}

/** `?moment=` is the moment at which it is decided which devices are stale. */
function respondTruth(controls: SandboxControls, request: PlatformRequest): PlatformResponse {
  const requested = request.query.get('moment');
  const moment = requested === null ? undefined : new Date(requested);
  return Number.isNaN(moment?.getTime())
    ? respondJson(400, { error: 'moment is no date' })
    : respondJson(200, controls.truth(moment));
}

function changeMoment(controls: SandboxControls, request: PlatformRequest): PlatformResponse {
  const moment = new Date(toText(readJsonBody(request).moment));
  if (Number.isNaN(moment.getTime())) {
    return respondJson(400, { error: 'moment is no date' });
  }
  controls.setMoment(moment);
  return respondJson(200, { moment: moment.toISOString() });
}

function changeFaults(controls: SandboxControls, request: PlatformRequest): PlatformResponse {
  const { faults } = readJsonBody(request);
  const names = Array.isArray(faults) ? faults.map(String) : [];
  return respondOrRefuse(() => {
    controls.setFaults(names);
    return respondJson(200, { faults: names });
  });
}

function readPercent(request: PlatformRequest): number {
  return Number(readJsonBody(request).percent ?? 0);
}

function changeOneDevice(controls: SandboxControls, request: PlatformRequest): PlatformResponse {
  const { device_id, change } = readJsonBody(request);
  return respondOrRefuse(() => {
    controls.changeDevice(readSourceName(request) ?? 'macs', toText(device_id), readDeviceChange(change));
    return respondJson(200, {});
  });
}

function readSourceName(request: PlatformRequest): SourceName | undefined {
  const { source } = readJsonBody(request);
  return sourceNames.find((name) => name === source);
}

function readDeviceChange(value: unknown): DeviceChange {
  const { agent, name, managed, silent, gone } = toObject(value);
  return {
    agent: readAgentChange(agent),
    name: name === null || typeof name === 'string' ? name : undefined,
    managed: typeof managed === 'boolean' ? managed : undefined,
    silent: typeof silent === 'boolean' ? silent : undefined,
    gone: typeof gone === 'boolean' ? gone : undefined,
  };
}

function readAgentChange(value: unknown): DeviceChange['agent'] {
  if (value === undefined || value === 'installed' || value === 'missing' || value === 'nothing') {
    return value;
  }
  throw new Error('agent is not installed, missing or nothing');
}
