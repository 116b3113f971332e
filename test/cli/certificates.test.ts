/** A8: where certificates are not checked, no command sends anything: not a secret, not an address, not a heartbeat. */

import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { program } from '../../src/cli.ts';
import { muster, openSite, pastSlots, type Site } from './muster.ts';

let site: Site;
let server: Server;
let connections = 0;
let settings = '';

beforeAll(async () => {
  server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  site = await openSite();
  const channels = 'alerts: { channels: [{ type: webhook, url: env:HOOK }], heartbeat: env:HOOK }\n';
  Object.assign(site.environment, { HOOK: `${addressOf()}/hook`, NODE_TLS_REJECT_UNAUTHORIZED: '0' });
  settings = (await site.settingsFor('unchecked', (yaml) => yaml + channels)).settings;
});
afterAll(async () => {
  server.close();
  await site.close();
});

const addressOf = () => `https://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** Each command that does something, as somebody would call it. */
function listCalls(command: Command = program, path: readonly string[] = []): string[][] {
  if (command.commands.length > 0) {
    return command.commands.flatMap((one) => listCalls(one, [...path, one.name()]));
  }
  const required = command.registeredArguments.filter((argument) => argument.required);
  const words = required.map(({ argChoices }, index) => argChoices?.[0] ?? pastSlots[index] ?? '');
  const options = command.options.filter(({ mandatory }) => mandatory).flatMap(({ long }) => [long ?? '', 'folder']);
  return [[...path, ...words, ...options]];
}

const more: Readonly<Record<string, () => readonly string[]>> = {
  init: () => ['--to', join(site.folder, 'new.yaml'), '--yes', '--jamf-url', addressOf()],
  prune: () => ['--confirm'],
};

test.each(listCalls().map((words) => [words.join(' '), words] as const))(
  'A8: muster %s is refused before anything is sent [K6] [R28]',
  async (_, words) => {
    const before = site.simulator.requests.length;
    expect(await site.run(settings, ...words, ...(more[words[0] ?? '']?.() ?? []))).toMatchObject({
      code: 2,
      output: '',
      errors: expect.stringMatching(/^muster \[settings-invalid\]: NODE_TLS_REJECT_UNAUTHORIZED is 0, .*NODE_EXTRA_CA/),
    });
    expect([connections, site.simulator.requests.length]).toEqual([0, before]);
  },
);

test('A8: a process of its own sends no client secret either [R28]', async () => {
  const words = ['init', '--to', 'own.yaml', '--yes', '--jamf-url', addressOf(), '--attribute', 'Agent'];
  const surroundings = { folder: site.folder, environment: site.environment };
  expect(await muster(words, surroundings)).toMatchObject({
    code: 2,
    errors: expect.stringContaining('Nothing was sent'),
  });
  expect(connections).toBe(0);
});
