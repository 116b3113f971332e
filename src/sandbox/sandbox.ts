/** Starts the simulated platforms: Jamf Pro, Entra sign-in, Microsoft Graph, report downloads and the service. */
import { setTimeout as sleep } from 'node:timers/promises';
import { routeControl, type SandboxControls } from './control/control-routes.ts';
import { allFaultNames, createFaults } from './control/faults.ts';
import { injectFaultsAfter, injectFaultsBefore } from './control/inject-faults.ts';
import { listEnvironment, readHost, renderSettings } from './control/render-settings.ts';
import { createRequestAudit, type RequestRecord } from './control/request-audit.ts';
import {
  chooseFirstNight,
  createSimulationState,
  type DeviceChange,
  type SimulationState,
} from './control/simulation-state.ts';
import { routeUpload } from './control/upload.ts';
import { computeTruth, type TruthRow } from './devices/truth.ts';
import { createAccessTokens } from './platforms/access-tokens.ts';
import {
  createServiceFiles,
  createServiceHandler,
  type ServiceFiles,
} from './platforms/downloads/service-downloads.ts';
import { createExports } from './platforms/graph/export-jobs.ts';
import { createGraphObjects, type GraphObjects } from './platforms/graph/graph-objects.ts';
import { createGraphHandler } from './platforms/graph/graph-server.ts';
import { createJamfObjects, type JamfObjects } from './platforms/jamf/jamf-objects.ts';
import { createJamfHandler } from './platforms/jamf/jamf-server.ts';
import { type LoopbackServer, type RequestHandler, startLoopbackServer } from './platforms/loopback-server.ts';
import { createSecrets, defaultGraphOptions, defaultJamfOptions } from './platforms/options.ts';
import type { GraphOptions, JamfOptions, PlatformContext } from './platforms/platform-context.ts';
import type { OriginName, PlatformRequest, PlatformResponse } from './platforms/request.ts';
import { createEntraHandler } from './platforms/sign-in/entra-sign-in.ts';

export interface SandboxOptions {
  /** Macs and Windows devices together, about half each. */
  readonly devices?: number;
  readonly seed?: number;
  /** The Jamf origin's port; the other four origins take the next ones. 0 takes free ports. */
  readonly port?: number;
  readonly moment?: Date | (() => Date);
  /** YYYY-MM-DD of the fleet's night 0; by default 30 days before the present. */
  readonly firstNight?: string;
  readonly faults?: readonly string[];
  readonly jamf?: Partial<JamfOptions>;
  readonly graph?: Partial<GraphOptions>;
}

export interface Sandbox {
  /** The Jamf origin, which also serves the control routes below /sandbox/. */
  readonly url: string;
  readonly urls: Readonly<Record<OriginName, string>>;
  readonly environment: Record<string, string>;
  /** Texts that no output may ever show: credentials, and what hides in policies and commands. */
  readonly canaries: readonly string[];
  readonly requests: readonly RequestRecord[];
  readonly leaks: readonly string[];
  readonly violations: readonly string[];
  /** What administrators created; tests may change it. */
  readonly jamf: JamfObjects;
  readonly graph: GraphObjects;
  readonly service: ServiceFiles;
  settings(): string;
  truth(moment?: Date, staleAfterDays?: number): TruthRow[];
  setMoment(moment: Date): void;
  setFaults(names: readonly string[]): void;
  changeDevice(source: 'macs' | 'windows', deviceId: string, change: DeviceChange): void;
  removeShareOfDevices(percent: number, source?: 'macs' | 'windows'): void;
  flipShareOfDevices(percent: number, source?: 'macs' | 'windows'): void;
  restoreDevices(): void;
  close(): Promise<void>;
}

export const faultNames: readonly string[] = allFaultNames;

const originNames: readonly OriginName[] = ['jamf', 'login', 'graph', 'downloads', 'service'];

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const start = options.moment ?? (() => new Date());
  const now = typeof start === 'function' ? start() : start;
  const graphOptions = { ...defaultGraphOptions, ...options.graph };
  const present = createSimulationState(start, {
    count: options.devices ?? 200,
    seed: options.seed ?? 1,
    firstNight: options.firstNight ?? chooseFirstNight(now.getTime()),
    frozenStates: graphOptions.frozenStates,
  });
  const context = createPlatformContext(options, present, graphOptions);
  present.devices();
  const watch = createRequestAudit(context.secrets, context.jamfTokens, context.graphTokens);
  const exports = createExports(context);
  const truth = (moment?: Date, staleAfterDays = 30) =>
    computeTruth(context.devices(), {
      moment: moment?.getTime() ?? context.now(),
      staleAfterDays,
      population: graphOptions.population,
      site: context.jamfOptions.site ? 'headquarters' : undefined,
    });
  const setFaults = (names: readonly string[]) => {
    context.faults.set(names);
    watch.forgetRetryAfter();
  };
  const controls: SandboxControls = {
    truth,
    requests: () => watch.requests,
    leaks: () => watch.leaks,
    violations: () => watch.violations,
    settings: () => renderSettings(context),
    environment: () => listEnvironment(context),
    setMoment: present.setMoment,
    setFaults,
    removeShareOfDevices: present.removeShareOfDevices,
    flipShareOfDevices: present.flipShareOfDevices,
    restoreDevices: present.restoreDevices,
    changeDevice: present.changeDevice,
  };
  const handlers: Record<OriginName, (request: PlatformRequest) => PlatformResponse> = {
    jamf: createJamfHandler(context),
    login: createEntraHandler(context),
    graph: createGraphHandler(context, exports),
    downloads: exports.download,
    service: createServiceHandler(context.service),
  };
  const respond: RequestHandler = async (request) => {
    const control =
      request.origin === 'jamf' ? (routeUpload(context, request) ?? routeControl(controls, request)) : undefined;
    if (control !== undefined) {
      return control;
    }
    const leave = watch.recordRequest(request);
    // Requests that came together are all in the house before the first is answered.
    await sleep(request.origin === 'jamf' ? context.jamfOptions.latencyMilliseconds : 0);
    const instead = request.origin === 'service' ? undefined : injectFaultsBefore(context.faults, request);
    const response = instead ?? injectFaultsAfter(context.faults, request, handlers[request.origin](request));
    leave(response);
    return response;
  };
  const origins: LoopbackServer[] = [];
  for (const [index, name] of originNames.entries()) {
    const origin = await startLoopbackServer(name, options.port ? options.port + index : 0, respond);
    origins.push(origin);
    context.urls[name] = origin.url;
  }
  const mdmHost = readHost(context.urls.jamf);
  Object.assign(context.jamf, createJamfObjects(context.jamfOptions, context.secrets, mdmHost, context.urls.service));
  Object.assign(context.graph, createGraphObjects(context.secrets, context.urls.service));
  const { jamfPassword, jamfClientSecret, graphClientSecret, serviceApiKey, policyPassword } = context.secrets;
  return {
    url: context.urls.jamf,
    urls: context.urls,
    environment: listEnvironment(context),
    canaries: [
      jamfPassword,
      jamfClientSecret,
      graphClientSecret,
      serviceApiKey,
      policyPassword,
      'canary-jamf-token',
      'canary-graph-token',
    ],
    requests: watch.requests,
    leaks: watch.leaks,
    violations: watch.violations,
    jamf: context.jamf,
    graph: context.graph,
    service: context.service,
    settings: controls.settings,
    truth,
    setMoment: present.setMoment,
    setFaults,
    changeDevice: present.changeDevice,
    removeShareOfDevices: present.removeShareOfDevices,
    flipShareOfDevices: present.flipShareOfDevices,
    restoreDevices: present.restoreDevices,
    async close() {
      await Promise.all(origins.map((origin) => origin.close()));
    },
  };
}

function createPlatformContext(
  options: SandboxOptions,
  present: SimulationState,
  graphOptions: GraphOptions,
): PlatformContext {
  const jamfOptions = {
    ...defaultJamfOptions,
    ...(options.jamf?.site ? { signIn: 'account' as const } : {}),
    ...options.jamf,
  };
  const secrets = createSecrets(options.seed ?? 1);
  return {
    jamfOptions,
    graphOptions,
    faults: createFaults(options.faults ?? []),
    secrets,
    jamfTokens: createAccessTokens('canary-jamf-token'),
    graphTokens: createAccessTokens('canary-graph-token'),
    // Filled when the origins listen: policies and commands name their hosts.
    jamf: { attributes: [], groups: [], scripts: [], policies: [], profiles: [] },
    graph: { apps: [], groups: [] },
    service: createServiceFiles(),
    attestationDate: new Date(present.now() - 7 * 86_400_000).toISOString().slice(0, 10),
    urls: { jamf: '', login: '', graph: '', downloads: '', service: '' },
    devices: present.devices,
    now: present.now,
  };
}
