/** A Fleet server as a source: its policy, then its hosts by ascending id, one request at a time. */
import type { LimitFunction } from 'p-limit';
import { MusterError } from '../../src/base/errors.ts';
import { indexBy } from '../../src/base/index-by.ts';
import { omitUndefined } from '../../src/base/omit-undefined.ts';
import { computeSha256 } from '../../src/base/sha256.ts';
import { sortDevicesById } from '../../src/core/text/order.ts';
import { findByName, toReadFailure } from '../../src/deployment/checks/verdicts.ts';
import type { DeploymentSettings } from '../../src/deployment/settings.ts';
import { createUnreadableAnswerError, parseJson } from '../../src/http/body.ts';
import { HttpClient } from '../../src/http/client.ts';
import type { SecretProvider } from '../../src/http/secrets.ts';
import { attempt, readConsistently } from '../../src/sources/reading/attempt.ts';
import { createRecorder, ReadingProgress } from '../../src/sources/reading/progress.ts';
import { listCopies, listRepeated } from '../../src/sources/reading/repeated-rows.ts';
import type { ReadContext, Source, SourceReading } from '../../src/sources/source.ts';
import { type FleetReading, fleetChecks } from './checks.ts';
import { type Host, parseCount, parseHosts, parsePolicies } from './parse.ts';

export interface FleetSettings {
  readonly name: string;
  readonly url: string;
  readonly token: SecretProvider;
  readonly policy: string;
  readonly linuxFile: string;
  readonly deployment: DeploymentSettings;
}

interface FleetReadOptions {
  readonly idle?: number;
  readonly limit: LimitFunction;
}

const hostsPerPage = 100;

export function createFleetSource(settings: FleetSettings, options: FleetReadOptions): Source {
  const { name, url } = settings;
  return {
    name,
    kind: 'fleet',
    address: url,
    read: (context, reading) => readFleet(settings, options, context, reading),
  };
}

async function readFleet(
  { name, url, token, policy: policyName, linuxFile, deployment }: FleetSettings,
  options: FleetReadOptions,
  context: ReadContext,
  reading: SourceReading,
): Promise<void> {
  const progress = new ReadingProgress(context, reading);
  const who = `Fleet "${name}"`;
  const { clock, signal, deadline, patience, slot, moment } = context;
  const credential = { header: async (refused?: string) => `Bearer ${await token(refused !== undefined)}` };
  const bounds = { clock, signal, ...omitUndefined({ deadline, patience }), ...options };
  const client = new HttpClient({ who, origin: url, credential, onRetry: progress.onRetry, ...bounds });
  const check = { settings: deployment, slot, moment };
  const record = createRecorder<FleetReading>(reading, fleetChecks, check, { linuxFile });

  progress.begin('looking for the policy');
  const policies = await attempt(signal, () =>
    client.optional().send({ url: '/api/v1/fleet/global/policies' }, (answer) => parsePolicies(parseJson(answer, who))),
  );
  const policy = policies.failure ? toReadFailure(policies.failure) : findByName(policies.value, policyName);
  record({ policy });
  if (policy.kind === 'one') {
    reading.instrument = { id: policy.value.id, fingerprint: computeSha256(policy.value.query) };
  }

  progress.begin('reading hosts');
  const ask = <T>(path: string, parse: (body: unknown) => T | undefined): Promise<T> =>
    client.send({ url: `/api/v1/fleet/hosts${path}` }, (answer) => {
      const value = parse(parseJson(answer, who));
      if (value === undefined) {
        throw createUnreadableAnswerError(who, 'JSON that is no list of hosts');
      }
      return value;
    });
  // Hosts come and go between the count and the list.
  await readConsistently(['rows-missing'], () => readHosts(reading, progress, { who, policyName, ask }));
}

interface HostList {
  readonly who: string;
  readonly policyName: string;
  ask<T>(path: string, parse: (body: unknown) => T | undefined): Promise<T>;
}

/** Each page begins after the id that ended the last one. A short page may be the server's own limit; an empty one is the end. */
async function readHosts(reading: SourceReading, progress: ReadingProgress, { who, policyName, ask }: HostList) {
  const { receipt } = reading;
  const claimed = await ask('/count', parseCount);
  Object.assign(receipt, { claimed, received: 0, walks: receipt.walks + 1 });
  const hosts: Host[] = [];
  const known = new Set<string>();
  for (let [after, page] = [0, await readPage(0)]; page.length > 0; page = await readPage(after)) {
    const next = Math.max(...page.map(({ id }) => id));
    if (next <= after) {
      throw new MusterError('paging-broken', `${who} listed host ${next} after host ${after}. Run again.`);
    }
    after = next;
    hosts.push(...page);
    for (const { id } of page) {
      known.add(String(id));
    }
    const [firstId] = known;
    Object.assign(receipt, { received: known.size, firstId, lastId: String(after) });
  }
  const rows = hosts.map(({ id, device }) => ({ id: String(id), device }));
  const copies = listCopies(rows);
  receipt.claimed = claimed - copies.length;
  if (rows.length - copies.length !== receipt.received) {
    throw new MusterError('paging-broken', `${who} listed a host twice, with different values. Run again.`);
  }
  if (receipt.received < receipt.claimed) {
    const message = `${who} counts ${claimed} hosts and listed ${receipt.received}. Check that the token's user sees all.`;
    throw new MusterError('rows-missing', message);
  }
  reading.repeated = listRepeated(rows).sort();
  reading.devices = sortDevicesById([...indexBy(rows, ({ id }) => id).values()].flatMap(({ device }) => device ?? []));

  async function readPage(after: number): Promise<readonly Host[]> {
    const query = `?populate_policies=true&order_key=id&per_page=${hostsPerPage}&after=${after}`;
    const page = await ask(query, (body) => parseHosts(body, policyName));
    receipt.pages += 1;
    progress.report();
    return page;
  }
}
