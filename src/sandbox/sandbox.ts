/** Starts the simulated platforms: Jamf Pro, Entra sign-in, Microsoft Graph, report downloads and the service. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Controls, controlRoute } from './control/control-routes.ts';
import { createFaults, everyFault } from './control/faults.ts';
import { strikeAfter, strikeBefore } from './control/inject-faults.ts';
import { environmentOf, hostOf, settingsOf } from './control/render-settings.ts';
import { createWatch, type RequestRecord } from './control/request-audit.ts';
import { createPresent, type DeviceChange, firstNightBefore, type Present } from './control/simulation-state.ts';
import { uploadRoute } from './control/upload.ts';
import { type TruthRow, truthOf } from './devices/truth.ts';
import { createTokens } from './platforms/access-tokens.ts';
import { type ServiceFiles, serviceFiles, serviceHandler } from './platforms/downloads/service-downloads.ts';
import { createExports } from './platforms/graph/export-jobs.ts';
import { type GraphObjects, graphObjects } from './platforms/graph/graph-objects.ts';
import { graphHandler } from './platforms/graph/graph-server.ts';
import { type JamfObjects, jamfObjects } from './platforms/jamf/jamf-objects.ts';
import { jamfHandler } from './platforms/jamf/jamf-server.ts';
import { type Origin, openOrigin, type Respond } from './platforms/loopback-server.ts';
import { graphDefaults, jamfDefaults, secretsOf } from './platforms/options.ts';
import type { GraphOptions, JamfOptions, World } from './platforms/platform-context.ts';
import type { Answer, Exchange, OriginName } from './platforms/request.ts';
import { loginHandler } from './platforms/sign-in/entra-sign-in.ts';

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
  removeShareOfFleet(percent: number, source?: 'macs' | 'windows'): void;
  flipShareOfFleet(percent: number, source?: 'macs' | 'windows'): void;
  restoreFleet(): void;
  close(): Promise<void>;
}

export const faultNames: readonly string[] = everyFault;

const originNames: readonly OriginName[] = ['jamf', 'login', 'graph', 'downloads', 'service'];

function worldOf(options: SandboxOptions, present: Present, graphOptions: GraphOptions): World {
  const jamfOptions = {
    ...jamfDefaults,
    ...(options.jamf?.site ? { signIn: 'account' as const } : {}),
    ...options.jamf,
  };
  const secrets = secretsOf(options.seed ?? 1);
  return {
    jamfOptions,
    graphOptions,
    faults: createFaults(options.faults ?? []),
    secrets,
    jamfTokens: createTokens('canary-jamf-token'),
    graphTokens: createTokens('canary-graph-token'),
    // Filled when the origins listen: policies and commands name their hosts.
    jamf: { attributes: [], groups: [], scripts: [], policies: [], profiles: [] },
    graph: { apps: [], groups: [] },
    service: serviceFiles(),
    attestedOn: new Date(present.moment() - 7 * 86_400_000).toISOString().slice(0, 10),
    urls: { jamf: '', login: '', graph: '', downloads: '', service: '' },
    fleet: present.fleet,
    present: present.moment,
  };
}

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const start = options.moment ?? (() => new Date());
  const now = typeof start === 'function' ? start() : start;
  const graphOptions = { ...graphDefaults, ...options.graph };
  const present = createPresent(start, {
    devices: options.devices ?? 200,
    seed: options.seed ?? 1,
    firstNight: options.firstNight ?? firstNightBefore(now.getTime()),
    frozenStates: graphOptions.frozenStates,
  });
  const world = worldOf(options, present, graphOptions);
  present.fleet();
  const watch = createWatch(world.secrets, world.jamfTokens, world.graphTokens);
  const exports = createExports(world);
  const truth = (moment?: Date, staleAfterDays = 30) =>
    truthOf(world.fleet(), {
      moment: moment?.getTime() ?? world.present(),
      staleAfterDays,
      population: graphOptions.population,
      site: world.jamfOptions.site ? 'headquarters' : undefined,
    });
  const setFaults = (names: readonly string[]) => {
    world.faults.set(names);
    watch.forgetWaits();
  };
  const controls: Controls = {
    truth,
    requests: () => watch.requests,
    leaks: () => watch.leaks,
    violations: () => watch.violations,
    settings: () => settingsOf(world),
    environment: () => environmentOf(world),
    setMoment: present.setMoment,
    setFaults,
    removeShareOfFleet: present.removeShareOfFleet,
    flipShareOfFleet: present.flipShareOfFleet,
    restoreFleet: present.restoreFleet,
    changeDevice: present.changeDevice,
  };
  const handlers: Record<OriginName, (exchange: Exchange) => Answer> = {
    jamf: jamfHandler(world),
    login: loginHandler(world),
    graph: graphHandler(world, exports),
    downloads: exports.download,
    service: serviceHandler(world.service),
  };
  const respond: Respond = async (exchange) => {
    const control =
      exchange.origin === 'jamf' ? (uploadRoute(world, exchange) ?? controlRoute(controls, exchange)) : undefined;
    if (control !== undefined) {
      return control;
    }
    const leave = watch.enter(exchange);
    // Requests that came together are all in the house before the first is answered.
    await sleep(exchange.origin === 'jamf' ? world.jamfOptions.latencyMilliseconds : 0);
    const instead = exchange.origin === 'service' ? undefined : strikeBefore(world.faults, exchange);
    const answer = instead ?? strikeAfter(world.faults, exchange, handlers[exchange.origin](exchange));
    leave(answer);
    return answer;
  };
  const origins: Origin[] = [];
  for (const [index, name] of originNames.entries()) {
    const origin = await openOrigin(name, options.port ? options.port + index : 0, respond);
    origins.push(origin);
    world.urls[name] = origin.url;
  }
  const mdmHost = hostOf(world.urls.jamf);
  Object.assign(world.jamf, jamfObjects(world.jamfOptions, world.secrets, mdmHost, world.urls.service));
  Object.assign(world.graph, graphObjects(world.secrets, world.urls.service));
  const { jamfPassword, jamfClientSecret, graphClientSecret, serviceApiKey, policyPassword } = world.secrets;
  return {
    url: world.urls.jamf,
    urls: world.urls,
    environment: environmentOf(world),
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
    jamf: world.jamf,
    graph: world.graph,
    service: world.service,
    settings: controls.settings,
    truth,
    setMoment: present.setMoment,
    setFaults,
    changeDevice: present.changeDevice,
    removeShareOfFleet: present.removeShareOfFleet,
    flipShareOfFleet: present.flipShareOfFleet,
    restoreFleet: present.restoreFleet,
    async close() {
      await Promise.all(origins.map((origin) => origin.close()));
    },
  };
}
