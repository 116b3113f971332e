/** The routes by which another process steers the sandbox; they are no part of any platform. */

import { type Answer, type Exchange, json, jsonBody, text } from '../platforms/request.ts';
import type { DeviceChange } from './simulation-state.ts';

type Source = 'macs' | 'windows';

export interface Controls {
  truth(moment?: Date): unknown;
  requests(): unknown;
  leaks(): unknown;
  violations(): unknown;
  settings(): string;
  environment(): unknown;
  setMoment(moment: Date): void;
  setFaults(names: readonly string[]): void;
  removeShareOfFleet(percent: number, source?: Source): void;
  flipShareOfFleet(percent: number, source?: Source): void;
  restoreFleet(): void;
  changeDevice(source: Source, deviceId: string, change: DeviceChange): void;
}

/** `?moment=` is the moment at which ages are judged. */
function truth(controls: Controls, exchange: Exchange): Answer {
  const asked = exchange.query.get('moment');
  const moment = asked === null ? undefined : new Date(asked);
  return Number.isNaN(moment?.getTime())
    ? json(400, { error: 'moment is no date' })
    : json(200, controls.truth(moment));
}

function setMoment(controls: Controls, exchange: Exchange): Answer {
  const moment = new Date(text(jsonBody(exchange).moment));
  if (Number.isNaN(moment.getTime())) {
    return json(400, { error: 'moment is no date' });
  }
  controls.setMoment(moment);
  return json(200, { moment: moment.toISOString() });
}

function setFaults(controls: Controls, exchange: Exchange): Answer {
  const { faults } = jsonBody(exchange);
  const names = Array.isArray(faults) ? faults.map(String) : [];
  try {
    controls.setFaults(names);
    return json(200, { faults: names });
  } catch (error) {
    return json(400, { error: error instanceof Error ? error.message : String(error) });
  }
}

function sourceOf(exchange: Exchange): Source | undefined {
  const { source } = jsonBody(exchange);
  return source === 'macs' || source === 'windows' ? source : undefined;
}

function percentOf(exchange: Exchange): number {
  return Number(jsonBody(exchange).percent ?? 0);
}

function changeDevice(controls: Controls, exchange: Exchange): Answer {
  const { device_id, change } = jsonBody(exchange);
  try {
    controls.changeDevice(sourceOf(exchange) ?? 'macs', text(device_id), (change ?? {}) as DeviceChange);
    return json(200, {});
  } catch (error) {
    return json(400, { error: error instanceof Error ? error.message : String(error) });
  }
}

export function controlRoute(controls: Controls, exchange: Exchange): Answer | undefined {
  if (!exchange.path.startsWith('/sandbox/')) {
    return undefined;
  }
  switch (`${exchange.method} ${exchange.path}`) {
    case 'GET /sandbox/truth':
      return truth(controls, exchange);
    case 'GET /sandbox/requests':
      return json(200, controls.requests());
    case 'GET /sandbox/leaks':
      return json(200, controls.leaks());
    case 'GET /sandbox/violations':
      return json(200, controls.violations());
    case 'GET /sandbox/environment':
      return json(200, controls.environment());
    case 'GET /sandbox/settings':
      return { status: 200, headers: { 'content-type': 'application/yaml' }, body: controls.settings() };
    case 'POST /sandbox/moment':
      return setMoment(controls, exchange);
    case 'POST /sandbox/faults':
      return setFaults(controls, exchange);
    case 'POST /sandbox/fleet/remove':
      controls.removeShareOfFleet(percentOf(exchange), sourceOf(exchange));
      return json(200, {});
    case 'POST /sandbox/fleet/flip':
      controls.flipShareOfFleet(percentOf(exchange), sourceOf(exchange));
      return json(200, {});
    case 'POST /sandbox/device':
      return changeDevice(controls, exchange);
    case 'POST /sandbox/fleet/restore':
      controls.restoreFleet();
      return json(200, {});
    default:
      return json(404, { error: `no control route ${exchange.method} ${exchange.path}` });
  }
}
