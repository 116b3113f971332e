/** Starts the simulated platforms: Jamf Pro, Entra sign-in, Microsoft Graph, report downloads and the service. */
import { setTimeout as sleep } from 'node:timers/promises';
import { routeControl, type SimulatorControls } from './control/control-routes.ts';
import { injectFaultsAfter, injectFaultsBefore } from './control/inject-faults.ts';
import { renderSettings } from './control/render-settings.ts';
import { RequestAudit, type RequestRecord } from './control/request-audit.ts';
import { type DeviceChange, Simulation } from './control/simulation.ts';
import { routeUpload } from './control/upload.ts';
import { type DeviceRecord, listDeviceRecords } from './devices/device-records.ts';
import { type MachineLists, renderMachineLists } from './devices/machine-lists.ts';
import type { SourceName } from './devices/model.ts';
import { allFaultNames } from './platforms/faults.ts';
import { createGraphObjects, type GraphObjects, type SentMail, updateApp } from './platforms/graph/graph-objects.ts';
import { createGraphHandler } from './platforms/graph/graph-server.ts';
import { createReportDownloadHandler } from './platforms/graph/report-downloads.ts';
import { createEntraHandler } from './platforms/graph/sign-in.ts';
import { createFirstObjects } from './platforms/jamf/first-objects.ts';
import type { JamfObjects } from './platforms/jamf/jamf-objects.ts';
import { createJamfHandler } from './platforms/jamf/jamf-server.ts';
import { enterContext } from './platforms/jamf-context.ts';
import { createGatewayHandler } from './platforms/jamf-gateway.ts';
import { type LoopbackServer, type RequestHandler, startLoopbackServer } from './platforms/loopback-server.ts';
import { defaultGraphOptions, type GraphOptions, type JamfOptions, type PlatformPace } from './platforms/options.ts';
import { createPlatformContext, type PlatformContext } from './platforms/platform-context.ts';
import { controlOrigin, type OriginName, originPlatforms, type PlatformName } from './platforms/platforms.ts';
import type { PlatformRequest } from './platforms/request.ts';
import type { PlatformResponse } from './platforms/response.ts';
import { listCanaries, listEnvironment } from './platforms/secrets.ts';
import { createServiceHandler, type ServiceFiles } from './platforms/service-downloads.ts';

export interface SimulatorOptions {
  /** Macs and Windows devices together, about half each. */
  readonly devices?: number;
  readonly seed?: number;
  /** The Jamf origin's port; the other four origins use the next ones. 0 uses free ports. */
  readonly port?: number;
  readonly moment?: Date | (() => Date);
  readonly faults?: readonly string[];
  /** Milliseconds by which a slow response is late; by default enough for every client's usual patience to notice. */
  readonly slowMilliseconds?: number;
  readonly jamf?: Partial<JamfOptions>;
  readonly graph?: Partial<GraphOptions>;
  /** Wraps every request except those of the control routes; can keep or delay responses. */
  readonly intercept?: (request: PlatformRequest, respond: RequestHandler) => Promise<PlatformResponse>;
}

export const faultNames = allFaultNames;

const defaultDeviceCount = 200;
const defaultSeed = 1;
const defaultSlowMilliseconds = 4_000;

export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const simulator = new Simulator(options);
  await simulator.listen(options.port ?? 0);
  return simulator;
}

export class Simulator implements SimulatorControls {
  readonly environment: Record<string, string>;
  readonly urls: Readonly<Record<OriginName, string>>;
  readonly requests: readonly RequestRecord[];
  readonly leaks: readonly string[];
  readonly violations: readonly string[];
  /** Objects that administrators created; tests may change them. */
  readonly jamf: JamfObjects;
  readonly graph: GraphObjects;
  readonly service: ServiceFiles;
  readonly mails: readonly SentMail[];
  /** Texts that no output may ever show: credentials, and secrets in policies and commands. */
  readonly canaries: readonly string[];
  readonly #state: Simulation;
  readonly #context: PlatformContext;
  readonly #audit: RequestAudit;
  readonly #pace: Readonly<Record<PlatformName, PlatformPace>>;
  readonly #options: SimulatorOptions;
  readonly #servers: LoopbackServer[] = [];

  constructor(options: SimulatorOptions) {
    this.#options = options;
    this.#state = startSimulation(options);
    this.#context = createPlatformContext({ seed: defaultSeed, ...options }, this.#state);
    this.#pace = { jamf: this.#context.jamfOptions, graph: this.#context.graphOptions };
    this.#audit = new RequestAudit(this.#context.secrets, this.#pace);
    this.urls = this.#context.urls;
    this.jamf = this.#context.jamf;
    this.graph = this.#context.graph;
    this.service = this.#context.service;
    this.mails = this.#context.mails;
    this.requests = this.#audit.requests;
    this.leaks = this.#audit.leaks;
    this.violations = this.#audit.violations;
    this.environment = listEnvironment(this.#context.secrets);
    this.canaries = listCanaries(this.#context.secrets);
  }

  /** Starts one server for each origin, at consecutive ports or at free ones. */
  async listen(port: number): Promise<void> {
    const { urls, jamf, graph, jamfOptions, secrets } = this.#context;
    const handlers = createHandlers(this.#context);
    for (const [index, origin] of (Object.keys(originPlatforms) as OriginName[]).entries()) {
      const server = await startLoopbackServer(origin, port === 0 ? 0 : port + index, (request) =>
        this.#respond(request, handlers),
      );
      this.#servers.push(server);
      urls[origin] = server.url;
    }
    // Policies and commands name the hosts of the origins, which are known only now.
    Object.assign(jamf, createFirstObjects(jamfOptions, secrets, urls));
    Object.assign(graph, createGraphObjects(secrets, urls));
  }

  async close(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.close()));
  }

  /** The origin that also serves the control routes, below /sandbox/. */
  get url(): string {
    return this.urls[controlOrigin];
  }

  settings(): string {
    return renderSettings(this.#context);
  }

  /** The platforms' records of the devices that the account may see. */
  listRecords(): DeviceRecord[] {
    return listDeviceRecords(this.#state.devices(), this.#context.jamfOptions.site ? 'headquarters' : undefined);
  }

  /** The company's own list and the console's at this moment. */
  machineLists(): MachineLists {
    return renderMachineLists(this.#state.devices(), this.#state.now());
  }

  setFaults(names: readonly string[]): void {
    this.#context.faults.set(names);
    this.#audit.forgetRetryAfter();
  }

  setMoment(moment: Date): void {
    this.#state.setMoment(moment);
  }

  changeDevice(source: SourceName, deviceId: string, change: DeviceChange): void {
    this.#state.changeDevice(source, deviceId, change);
  }

  removeShareOfDevices(percent: number, source?: SourceName): void {
    this.#state.removeShareOfDevices(percent, source);
  }

  flipShareOfDevices(percent: number, source?: SourceName): void {
    this.#state.flipShareOfDevices(percent, source);
  }

  restoreDevices(): void {
    this.#state.restoreDevices();
  }

  updateApp(): void {
    updateApp(this.graph);
  }

  async #respond(sent: PlatformRequest, handlers: Handlers): Promise<PlatformResponse> {
    const isControl = sent.origin === controlOrigin;
    const control = isControl ? (routeUpload(this.#context, sent) ?? routeControl(this, sent)) : undefined;
    const request = enterContext(sent, this.#context.jamfOptions.contextPath);
    const { intercept = (_, respond) => respond(request) } = this.#options;
    return (
      control ?? intercept(request, (intercepted) => this.#respondAsPlatform(intercepted, handlers[request.origin]))
    );
  }

  async #respondAsPlatform(request: PlatformRequest, handle: PlatformHandler): Promise<PlatformResponse> {
    const recordResponse = this.#audit.recordRequest(request);
    const platform = originPlatforms[request.origin];
    // Counts requests that arrive together before answering the first.
    await sleep(platform === undefined ? 0 : this.#pace[platform].latencyMilliseconds);
    const { faults } = this.#context;
    const response = injectFaultsBefore(faults, request) ?? injectFaultsAfter(faults, request, await handle(request));
    if (response.isSlow) {
      await sleep(this.#options.slowMilliseconds ?? defaultSlowMilliseconds);
    }
    recordResponse(response);
    return response;
  }
}

type Handlers = Readonly<Record<OriginName, PlatformHandler>>;
type PlatformHandler = (request: PlatformRequest) => PlatformResponse | Promise<PlatformResponse>;

function startSimulation({ devices, seed = defaultSeed, moment, graph }: SimulatorOptions): Simulation {
  const clock = typeof moment === 'function' ? moment : () => moment ?? new Date();
  const { frozenStates, datesKnown } = { ...defaultGraphOptions, ...graph };
  return new Simulation(clock, { count: devices ?? defaultDeviceCount, seed, frozenStates, datesKnown });
}

function createHandlers(context: PlatformContext): Handlers {
  const jamf = createJamfHandler(context);
  return {
    jamf: context.jamfOptions.gateway ? createGatewayHandler(context, jamf) : jamf,
    login: createEntraHandler(context),
    graph: createGraphHandler(context),
    downloads: createReportDownloadHandler(context),
    service: createServiceHandler(context.service),
  };
}
