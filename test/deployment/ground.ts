/** One source of the simulator, asked again and again while its objects are changed and put back. */
import { expect } from 'vitest';
import type { Simulator, SimulatorOptions } from '../../simulator/simulator.ts';
import { readSettings, type Settings } from '../../src/compose/read-settings.ts';
import { readRunContext } from '../../src/compose/run-context.ts';
import type { CheckResult, SourceFacts } from '../../src/core/facts/facts.ts';
import { gather } from '../../src/run/gather.ts';
import { composeSimulatorParts, openSimulator, type SimulatorSetup, toMoment } from '../whole-runs/simulator-runs.ts';

const slot = '2026-03-01';

export interface Ground {
  readonly simulator: Simulator;
  /** Privileges and permissions that are taken away while a test runs. */
  readonly denied: string[];
  /** And those that are given besides. */
  readonly granted: string[];
  /** What the source has in its reading; the settings as text may be changed first. */
  read(change?: (settings: string) => string): Promise<SourceFacts>;
  /** One check of it. */
  check(id: string, change?: (settings: string) => string): Promise<CheckResult>;
  /** Puts back what tests have changed. */
  restore(): void;
  close(): Promise<void>;
}

export async function openGround(source: 'macs' | 'windows', options: SimulatorOptions = {}): Promise<Ground> {
  const [denied, granted]: [string[], string[]] = [[], []];
  const setup = await openSimulator({
    devices: 12,
    ...options,
    jamf: { signIn: 'account', withoutPrivileges: denied, withPrivileges: granted, ...options.jamf },
    graph: { exportPolls: 0, withoutPermissions: denied, withPermissions: granted, ...options.graph },
  });
  const { simulator } = setup;
  const before = structuredClone({ jamf: simulator.jamf, graph: simulator.graph });
  const files = { ...simulator.service };

  const read = (change?: (settings: string) => string) => readSource(simulator, source, change);

  return {
    simulator,
    denied,
    granted,
    read,
    async check(id, change) {
      const found = (await read(change)).findings.filter((finding) => finding.check === id);
      expect(found).toHaveLength(1);
      return found[0] as CheckResult;
    },
    restore() {
      Object.assign(simulator.jamf, structuredClone(before.jamf));
      Object.assign(simulator.graph, structuredClone(before.graph));
      Object.assign(simulator.service, files);
      denied.length = 0;
      granted.length = 0;
      simulator.setFaults([]);
    },
    close: () => simulator.close(),
  };
}

/** One source of a simulator; what it writes down shows nothing that is to be hidden. */
export async function readSource(
  simulator: Simulator,
  source: 'macs' | 'windows',
  change: (settings: string) => string = (text) => text,
): Promise<SourceFacts> {
  const settings = settingsOf(change(simulator.settings()), simulator.environment, source);
  const setup: SimulatorSetup = { simulator, settings, close: () => simulator.close() };
  const parts = await composeSimulatorParts(setup, '/nowhere', slot);
  const moment = toMoment(slot);
  const frame = { ...(await readRunContext(settings, '/nowhere', moment)), slot, moment: moment.toISOString() };
  const facts = await gather(parts, frame, undefined);
  const findings = facts.sources.flatMap((one) => one.findings);
  const hidden = hiddenTexts(simulator);
  expect(listShown(findings, hidden)).toEqual([]);
  // Sentences about a failure name the server that was asked, and the facts hold the address of each source.
  const hosts = [simulator.urls.jamf, simulator.urls.service].flatMap((url) => [
    new URL(url).host,
    new URL(url).origin,
  ]);
  expect(listShown(facts, hidden).filter((text) => !hosts.includes(text))).toEqual([]);
  expect(simulator.leaks).toEqual([]);
  expect(simulator.violations).toEqual([]);
  return first(facts.sources);
}

function settingsOf(text: string, environment: Record<string, string>, source: string): Settings {
  const { settings, problems } = readSettings(text, environment);
  if (settings === undefined) {
    throw new Error(problems.join('\n'));
  }
  return { ...settings, sources: settings.sources.filter(({ name }) => name === source) };
}

/** Everything that may be compared and never shown: secrets, and the words of scripts, parameters and commands. */
function hiddenTexts({ canaries, jamf, graph }: Simulator): string[] {
  const scripts = [
    ...jamf.scripts.map(({ contents }) => contents),
    ...jamf.attributes.map(({ script }) => script ?? ''),
  ];
  const parameters = jamf.policies.flatMap(({ scripts: used }) => used.flatMap((script) => script.parameters));
  const commands = graph.apps.flatMap((app) => [app.installCommandLine, app.uninstallCommandLine]);
  const lines = scripts.flatMap((script) => script.split(/[\r\n]+/)).filter((line) => line.trim().length > 12);
  return [...canaries, ...parameters.filter((text) => text.length > 8), ...commands, ...lines].filter(
    (text) => text !== '',
  );
}

function listShown(value: unknown, hidden: readonly string[]): string[] {
  const written = JSON.stringify(value);
  return hidden.filter((text) => written.includes(text) || written.includes(JSON.stringify(text).slice(1, -1)));
}

/** Pastes the line of a finding into the settings, signed. */
export function accepting({ advice }: CheckResult): (settings: string) => string {
  const [, line] = /deployment\.accepted: (- \{.*\})$/.exec(advice) ?? [];
  if (line === undefined) {
    throw new Error(`no line to paste in: ${advice}`);
  }
  return (settings) => `${settings}  accepted:\n    ${line.replace('YOUR NAME', 'Ada Example')}\n`;
}

/** The one object of that name. */
export function named<Item extends { name: string }>(items: readonly Item[], name: string): Item {
  const found = items.find((item) => item.name === name);
  if (found === undefined) {
    throw new Error(`the simulator has no ${name}`);
  }
  return found;
}

/** The first of a list that is not empty. */
export function first<Item>(items: readonly Item[]): Item {
  const [found] = items;
  if (found === undefined) {
    throw new Error('the list is empty');
  }
  return found;
}

export function put<Item extends object>(item: Item, changes: Partial<Item>): void {
  Object.assign(item, changes);
}
