/** Starts the simulated platforms: Jamf Pro, Entra sign-in, Microsoft Graph, report downloads and the service. */
import { setTimeout as sleep } from 'node:timers/promises';
import { routeControl, type SandboxControls } from './control/control-routes.ts';
import { allFaultNames, createFaults } from './control/faults.ts';
import { injectFaultsAfter, injectFaultsBefore } from './control/inject-faults.ts';
import { listEnvironment, renderSettings } from './control/render-settings.ts';
import { createRequestAudit, type RequestAudit } from './control/request-audit.ts';
import { chooseFirstNight, createSimulationState, type SimulationState } from './control/simulation-state.ts';
import { routeUpload } from './control/upload.ts';
import { millisecondsPerDay } from './devices/contact-times.ts';
import { computeTruth } from './devices/truth.ts';
import { createAccessTokens } from './platforms/access-tokens.ts';
import { createReportDownloadHandler } from './platforms/downloads/report-downloads.ts';
import {
  createServiceFiles,
  createServiceHandler,
  type ServiceFiles,
} from './platforms/downloads/service-downloads.ts';
import { createGraphObjects, type GraphObjects } from './platforms/graph/graph-objects.ts';
import { createGraphHandler } from './platforms/graph/graph-server.ts';
import { createExportJobs } from './platforms/graph/job-store.ts';
import { createJamfObjects, type JamfObjects } from './platforms/jamf/jamf-objects.ts';
import { createJamfHandler } from './platforms/jamf/jamf-server.ts';
import { type LoopbackServer, type RequestHandler, startLoopbackServer } from './platforms/loopback-server.ts';
import { omitUndefined } from './platforms/omit-undefined.ts';
import { defaultGraphOptions, defaultJamfOptions, type GraphOptions, type JamfOptions } from './platforms/options.ts';
import type { PlatformContext } from './platforms/platform-context.ts';
import type { OriginName, PlatformRequest } from './platforms/request.ts';
import type { PlatformResponse } from './platforms/response.ts';
import { createSecrets, graphTokenPrefix, jamfTokenPrefix, listCanaries } from './platforms/secrets.ts';
import { createEntraHandler } from './platforms/sign-in/entra-sign-in.ts';

export interface SandboxOptions {
  /** Macs and Windows devices together, about half each. */
  readonly devices?: number;
  readonly seed?: number;
  /** The Jamf origin's port; the other four origins take the next ones. 0 takes free ports. */
  readonly port?: number;
  readonly moment?: Date | (() => Date);
  /** YYYY-MM-DD of night 0; by default 30 days before the moment. */
  readonly firstNight?: string;
  readonly faults?: readonly string[];
  /** How late a slow response comes; by default late enough for every client with its usual patience to notice. */
  readonly slowMilliseconds?: number;
  readonly jamf?: Partial<JamfOptions>;
  readonly graph?: Partial<GraphOptions>;
  /** Around every request but those of the control routes: what comes back may be kept, or made to come later. */
  readonly intercept?: (request: PlatformRequest, respond: RequestHandler) => Promise<PlatformResponse>;
}

export interface Sandbox extends SandboxControls {
  /** The Jamf origin, which also serves the control routes below /sandbox/. */
  readonly url: string;
  readonly urls: Readonly<Record<OriginName, string>>;
  /** Texts that no output may ever show: credentials, and what is hidden in policies and commands. */
  readonly canaries: readonly string[];
  /** What administrators created; tests may change it. */
  readonly jamf: JamfObjects;
  readonly graph: GraphObjects;
  readonly service: ServiceFiles;
  close(): Promise<void>;
}

export const faultNames: readonly string[] = allFaultNames;

const originNames: readonly OriginName[] = ['jamf', 'login', 'graph', 'downloads', 'service'];
const defaultDeviceCount = 200;
const defaultSeed = 1;
const daysSinceAttestation = 7;
const defaultSlowMilliseconds = 4_000;

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const state = startSimulation(options);
  const context = createPlatformContext(options, state);
  const { secrets, jamfTokens, graphTokens, jamfOptions } = context;
  const audit = createRequestAudit(secrets, jamfTokens, graphTokens, jamfOptions.requestsAtOnce);
  const controls = createControls(context, state, audit);
  const servers = await startServers(
    options.port ?? 0,
    context.urls,
    createRequestHandler(context, controls, audit, options),
  );
  // Policies and commands name the hosts of the origins, which are known only now.
  Object.assign(context.jamf, createJamfObjects(context.jamfOptions, context.secrets, context.urls));
  Object.assign(context.graph, createGraphObjects(context.secrets, context.urls));
  return {
    ...controls,
    url: context.urls.jamf,
    urls: context.urls,
    canaries: listCanaries(context.secrets),
    jamf: context.jamf,
    graph: context.graph,
    service: context.service,
    async close() {
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}

function startSimulation(options: SandboxOptions): SimulationState {
  const { moment = () => new Date() } = options;
  const clock = typeof moment === 'function' ? moment : () => moment;
  const state = createSimulationState(clock, {
    count: options.devices ?? defaultDeviceCount,
    seed: options.seed ?? defaultSeed,
    firstNight: options.firstNight ?? chooseFirstNight(clock().getTime()),
    frozenStates: options.graph?.frozenStates ?? defaultGraphOptions.frozenStates,
  });
  // The devices are brought to the first moment at once, so that no request has to wait for it.
  state.devices();
  return state;
}

function createPlatformContext(options: SandboxOptions, state: SimulationState): PlatformContext {
  return {
    jamfOptions: {
      ...defaultJamfOptions,
      // Only an account can be scoped to a site.
      ...omitUndefined({ signIn: options.jamf?.site ? ('account' as const) : undefined }),
      ...options.jamf,
    },
    graphOptions: { ...defaultGraphOptions, ...options.graph },
    faults: createFaults(options.faults ?? []),
    secrets: createSecrets(options.seed ?? defaultSeed),
    jamfTokens: createAccessTokens(jamfTokenPrefix),
    graphTokens: createAccessTokens(graphTokenPrefix),
    jamf: { attributes: [], groups: [], scripts: [], policies: [], profiles: [] },
    graph: { apps: [], groups: [] },
    exportJobs: createExportJobs(),
    service: createServiceFiles(),
    attestationDate: new Date(state.now() - daysSinceAttestation * millisecondsPerDay).toISOString().slice(0, 10),
    urls: { jamf: '', login: '', graph: '', downloads: '', service: '' },
    devices: state.devices,
    now: state.now,
  };
}

function createControls(context: PlatformContext, state: SimulationState, audit: RequestAudit): SandboxControls {
  return {
    ...state.controls,
    environment: listEnvironment(context),
    requests: audit.requests,
    leaks: audit.leaks,
    violations: audit.violations,
    settings: () => renderSettings(context),
    truth: (moment, staleAfterDays = 30) =>
      computeTruth(context.devices(), {
        moment: moment?.getTime() ?? context.now(),
        staleAfterDays,
        population: context.graphOptions.population,
        site: context.jamfOptions.site ? 'headquarters' : undefined,
      }),
    setFaults(names) {
      context.faults.set(names);
      audit.forgetRetryAfter();
    },
  };
}

/** Starts one server for each origin and writes their addresses to `urls`. */
async function startServers(
  port: number,
  urls: Record<OriginName, string>,
  handle: RequestHandler,
): Promise<LoopbackServer[]> {
  const servers: LoopbackServer[] = [];
  for (const [index, name] of originNames.entries()) {
    const server = await startLoopbackServer(name, port === 0 ? 0 : port + index, handle);
    servers.push(server);
    urls[name] = server.url;
  }
  return servers;
}

function createRequestHandler(
  context: PlatformContext,
  controls: SandboxControls,
  audit: RequestAudit,
  { slowMilliseconds = defaultSlowMilliseconds, intercept = (request, respond) => respond(request) }: SandboxOptions,
): RequestHandler {
  const handlers: Record<OriginName, (request: PlatformRequest) => PlatformResponse> = {
    jamf: createJamfHandler(context),
    login: createEntraHandler(context),
    graph: createGraphHandler(context),
    downloads: createReportDownloadHandler(context),
    service: createServiceHandler(context.service),
  };
  return async (request) => {
    const isJamf = request.origin === 'jamf';
    const control = isJamf ? (routeUpload(context, request) ?? routeControl(controls, request)) : undefined;
    return control ?? intercept(request, respond);
  };

  async function respond(request: PlatformRequest): Promise<PlatformResponse> {
    const recordResponse = audit.recordRequest(request);
    // Requests that come together are all counted before the first is answered.
    await sleep(request.origin === 'jamf' ? context.jamfOptions.latencyMilliseconds : 0);
    const fault = request.origin === 'service' ? undefined : injectFaultsBefore(context.faults, request);
    const response = fault ?? injectFaultsAfter(context.faults, request, handlers[request.origin](request));
    if (response.isSlow) {
      await sleep(slowMilliseconds);
    }
    recordResponse(response);
    return response;
  }
}
