/** The routes by which another process controls the simulator; they belong to no platform. */
import type { DeviceRecord } from '../devices/device-records.ts';
import { type PlatformRequest, readJsonBody, toText } from '../platforms/request.ts';
import { type PlatformResponse, respondJson } from '../platforms/response.ts';

/** Controls of a running simulator for another process. */
export interface SimulatorControls {
  readonly leaks: readonly string[];
  readonly violations: readonly string[];
  listRecords(): DeviceRecord[];
  setFaults(names: readonly string[]): void;
  setMoment(moment: Date): void;
}

const routes: Readonly<Record<string, (controls: SimulatorControls, request: PlatformRequest) => unknown>> = {
  'GET /sandbox/records': (controls) => controls.listRecords(),
  'GET /sandbox/leaks': (controls) => controls.leaks,
  'GET /sandbox/violations': (controls) => controls.violations,
  'POST /sandbox/moment'(controls, request) {
    const moment = parseMoment(readJsonBody(request).moment);
    controls.setMoment(moment);
    return { moment };
  },
  'POST /sandbox/faults'(controls, request) {
    const { faults } = readJsonBody(request);
    controls.setFaults(Array.isArray(faults) ? faults.map(String) : []);
    return { faults };
  },
};

/** Routes a control request; an error becomes the client's, with its message. */
export function routeControl(controls: SimulatorControls, request: PlatformRequest): PlatformResponse | undefined {
  if (!request.path.startsWith('/sandbox/')) {
    return undefined;
  }
  const route = routes[`${request.method} ${request.path}`];
  try {
    return route === undefined
      ? respondJson(404, { error: `no control route ${request.method} ${request.path}` })
      : respondJson(200, route(controls, request));
  } catch (error) {
    return respondJson(400, { error: error instanceof Error ? error.message : String(error) });
  }
}

function parseMoment(text: unknown): Date {
  const moment = new Date(toText(text));
  if (Number.isNaN(moment.getTime())) {
    throw new Error('moment is no date');
  }
  return moment;
}
