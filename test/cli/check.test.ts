/** `muster check` and `muster artifacts` as people start them. */
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Simulator, startSimulator } from '../../simulator/simulator.ts';
import { command } from '../../src/base/command.ts';
import { loadArtifacts } from '../../src/compose/source-kinds.ts';
import { inFolder, muster, musterHere } from './muster.ts';

let simulator: Simulator;

beforeAll(async () => {
  simulator = await startSimulator({ devices: 20, graph: { exportPolls: 0 } });
});
afterAll(() => simulator.close());

function started(folder: string, ...words: readonly string[]) {
  return startedWith((yaml) => yaml, folder, ...words);
}

function startedWith(change: (yaml: string) => string, folder: string, ...words: readonly string[]) {
  writeFileSync(join(folder, 'muster.yaml'), change(simulator.settings()));
  return musterHere(words, { folder, environment: simulator.environment });
}

function expectNoSecret(text: string): void {
  expect(simulator.canaries.filter((canary) => text.includes(canary))).toEqual([]);
}

describe('check', () => {
  it('says that all is well, how old the answers are, and which permissions show secrets: 0', async () => {
    await inFolder(async (folder) => {
      const { code, output, errors } = await started(folder, 'check');
      expect([code, errors]).toEqual([0, '']);
      expect(output).toMatch(/(has|have) no value/);
      expect(output).toMatch(/(has|have) no row/);
      expect(output).toContain('"Read Policies" shows the policy\'s parameters in plain text');
      expect(output).toContain('DeviceManagementApps.Read.All shows the install command in plain text');
      expect(output).toMatch(/^ {4}pass {9}macos\.extension-attribute +enabled/m);
      expect(readdirSync(folder)).toEqual(['muster.yaml']);
      expect(output.trimEnd().split('\n').at(-1)).toContain(`Ready: ${command} run`);
      expectNoSecret(output);
    });
  });

  it('says on which date clocks skip the hour of the schedule, and when that run starts [M1]', async () => {
    const change = (yaml: string) => `${yaml}schedule: { cron: "30 2 * * *", timezone: Europe/Berlin }\n`;
    const sentence = /Clocks in Europe\/Berlin skip 02:30 on 20\d\d-03-\d\d: the run of that date starts at 03:00\./;
    await inFolder(async (folder) => {
      const { code, output } = await startedWith(change, folder, 'check');
      expect([code, output]).toEqual([0, expect.stringMatching(new RegExp(`\nSchedule: ${sentence.source}\n`))]);
      const { skippedStart } = JSON.parse((await startedWith(change, folder, 'check', '--json')).output);
      expect(skippedStart).toMatch(sentence);
    });
  });

  it('says which machines share a serial number, as the simulator has them, and fails no check for it: 0', async () => {
    const usual = await startSimulator({ devices: 200, graph: { exportPolls: 0 } });
    try {
      await inFolder(async (folder) => {
        writeFileSync(join(folder, 'muster.yaml'), usual.settings());
        const { code, output } = await musterHere(['check'], { folder, environment: usual.environment });
        expect([code, output]).toEqual([
          0,
          expect.stringMatching(/^ {2}the listed devices\n {4}fail +devices\.shared-/m),
        ]);
        expect(output).toContain(`\nReady: ${command} run   (2 findings about devices; see "to do" above)\n`);
      });
    } finally {
      await usual.close();
    }
  });

  it('says what must be mended first, with each cause once, and asks whether another name was meant: 3', async () => {
    const change = (yaml: string) =>
      `${yaml.replace('extensionAttribute: Agent Status', 'extensionAttribute: Agent Sttus').replace(/policy: Deploy.*/, 'policy: Deploy endpoint agnet')}alerts: { channels: [{ type: slack, url: env:${Object.keys(simulator.environment)[0]} }] }\n`;
    await inFolder(async (folder) => {
      const { code, output } = await startedWith(change, folder, 'check');
      expect(code).toBe(3);
      expect(output).toMatch(/has no extension attribute "Agent Sttus"\. Did you mean "Agent Status"\?/);
      expect(output).toMatch(/there is no policy of that name; did you mean "Deploy endpoint agent"\?/);
      const verdict = output.split('Not ready. Mend this first:\n')[1]?.trimEnd().split('\n') ?? [];
      expect(verdict).toEqual([
        expect.stringMatching(/^ {2}1\. macs: .* has no extension attribute/),
        '  2. The address of slack is not a URL.',
      ]);
      expect(readdirSync(folder)).toEqual(['muster.yaml']);
    });
  });

  it('reads Jamf Pro through the gateway, and names the setting of an environment that it refuses: 0 and 3 [F2]', async () => {
    const behind = await startSimulator({ devices: 20, graph: { exportPolls: 0 }, jamf: { gateway: true } });
    try {
      await inFolder(async (folder) => {
        const check = (yaml: string) => {
          writeFileSync(join(folder, 'muster.yaml'), yaml);
          return musterHere(['check'], { folder, environment: behind.environment });
        };
        const good = await check(behind.settings());
        expect([good.code, good.errors]).toEqual([0, '']);
        expect(good.output).toMatch(/^ {4}pass {9}macos\.policy-parameters /m);
        const wrong = await check(behind.settings().replace('environmentId: 2', 'environmentId: 3'));
        expect(wrong.code).toBe(3);
        expect(wrong.output).toMatch(/1\. macs: .*answered 404 \(ENVIRONMENT_NOT_FOUND\).*gateway\.environmentId/);
        expect(behind.leaks).toEqual([]);
        expect(behind.canaries.filter((canary) => `${good.output}${wrong.output}`.includes(canary))).toEqual([]);
      });
    } finally {
      await behind.close();
    }
  });

  /** A clock for another process: a wait lasts a twentieth of its time, and the rest of it is skipped. */
  const skippingClock = `
    import { syncBuiltinESMExports } from 'node:module';
    import timers from 'node:timers/promises';
    const [now, wait] = [performance.now.bind(performance), timers.setTimeout];
    let skipped = 0;
    performance.now = () => now() + skipped;
    timers.setTimeout = async (time, ...rest) => {
      const until = performance.now() + time;
      await wait(time / 20, ...rest);
      skipped = Math.max(skipped, until - now());
    };
    syncBuiltinESMExports();`;

  it('waits for a platform that fails no longer than half a minute, and asks it once', async () => {
    const failing = await startSimulator({
      devices: 20,
      faults: ['jamf/server-errors:lasting'],
      graph: { exportPolls: 0 },
    });
    try {
      await inFolder(async (folder) => {
        writeFileSync(join(folder, 'muster.yaml'), failing.settings());
        const clock = `--import=data:text/javascript,${encodeURIComponent(skippingClock)}`;
        const environment = { ...failing.environment, NODE_OPTIONS: clock };
        const { code, output } = await muster(['check'], { folder, environment });
        expect(code).toBe(3);
        expect(output).toMatch(/not complete after 0 devices \[request-failed\]/);
        expect(output).toMatch(/answered 503.*Muster gave up after (2\d|30) s\./);
        // In ten minutes there would be some twenty.
        const signIns = failing.requests.filter(({ path, origin }) => origin === 'jamf' && path.endsWith('/token'));
        expect(signIns.length).toBeLessThan(9);
      });
    } finally {
      await failing.close();
    }
  });

  it('shows what it reads on a terminal, and says that a complete answer is not to be trusted', async () => {
    const terminal = '--import=data:text/javascript,process.stdout.isTTY=true';
    const change = (yaml: string) =>
      yaml
        .replace('    teamIdentifier:', '    agentFile: /opt/other\n    teamIdentifier:')
        .replace('    extensionAttribute:', '    site: Nowhere\n    extensionAttribute:');
    await inFolder(async (folder) => {
      writeFileSync(join(folder, 'muster.yaml'), change(simulator.settings()));
      const environment = { ...simulator.environment, NODE_OPTIONS: terminal };
      const { code, output } = await muster(['check'], { folder, environment });
      expect(code).toBe(3);
      expect(output).toContain('\u001b[2K  macs         ');
      expect(output).toMatch(/ {2}reading {3}complete: .*\n {2}quality {3}untrusted \[instrument\]\n/);
      expect(output).toMatch(/to do: site is "Nowhere", and no device is in that site: they are in \w/);
      expect(output).toMatch(/The deployment interface is the document .*docs\/coverage\.md/);
    });
  });

  it('says where the settings differ from the document, and what the canaries answer', async () => {
    const serial = /serial: (\S+), expect: Installed /.exec(simulator.settings())?.[1];
    const nobody = '    - { source: windows, serial: PF0000NOBODY, expect: Not Installed }\n';
    const change = (yaml: string) =>
      yaml.replace('    tools: false', '    toolsFile: /opt/tools').replace('  canaries:\n', (line) => line + nobody);
    await inFolder(async (folder) => {
      const { output } = await startedWith(change, folder, 'check');
      expect(output).toMatch(
        /pass {9}macos\.agent-places +deployment\.macos\.toolsFile is "\/opt\/tools", where the deployment interface has "\/usr\/local\/fhfs\/bin\/fhtools"/,
      );
      expect(output).toMatch(/pass {9}windows\.agent-places +as in the deployment interface/);
      expect(output.match(/^ {2}canaries: machines kept with and without the agent$/gm)).toHaveLength(2);
      expect(output).toMatch(new RegExp(`pass {9}canary\\.${serial} +Installed`));
      expect(output).toMatch(/unknown {6}canary\.PF0000NOBODY +no device has this serial number/);
    });
  });

  it('says what to do where something is not, and names the packaging folder: 3', async () => {
    const [policy] = simulator.jamf.policies.filter(({ name }) => name === 'Deploy endpoint agent');
    if (policy) {
      policy.updateInventory = false;
    }
    await inFolder(async (folder) => {
      const { code, output } = await started(folder, 'check', '--package', folder);
      expect(code).toBe(3);
      expect(output).toMatch(
        /fail {9}macos\.update-inventory +Update Inventory is off\n +expected: .+\n +to do: Enable Update Inventory/,
      );
      expect(output).toMatch(/fail {9}windows\.package +Install-Agent\.ps1 is missing/);
      expectNoSecret(output);
    });
    if (policy) {
      policy.updateInventory = true;
    }
  });
});

const artifacts = await loadArtifacts();

describe('artifacts', () => {
  it('are listed, printed one by one, and written', async () => {
    await inFolder(async (folder) => {
      const list = await started(folder, 'artifacts');
      for (const { name } of artifacts) {
        expect(list.output).toContain(`  ${name}`);
      }
      const one = await started(folder, 'artifacts', 'install-command.txt');
      expect(one.output).toContain('-ApiKey <API_KEY> -circleid circle-42');
      const all = await started(folder, 'artifacts', '--to', 'out');
      expect([all.code, all.errors]).toEqual([0, '']);
      expect(readdirSync(join(folder, 'out')).sort()).toEqual(artifacts.map(({ name }) => name).sort());
      expect(statSync(join(folder, 'out', 'deploy-directory.sh')).mode & 0o111).not.toBe(0);
      expectNoSecret(list.output + one.output + all.output);
    });
  });

  it('of another name are refused, with the nearest one: 2', async () => {
    await inFolder(async (folder) => {
      const { code, errors } = await started(folder, 'artifacts', 'polcy.xml');
      expect(code).toBe(2);
      expect(errors).toMatch(
        /^muster \[command-line\]: There is no artifact "polcy\.xml"; did you mean "policy\.xml"\? /,
      );
    });
  });

  it('need no secret, and say what they lack', async () => {
    await inFolder(async (folder) => {
      writeFileSync(join(folder, 'muster.yaml'), simulator.settings().replace(/deployment:[\s\S]*/, ''));
      const { code, errors } = await musterHere(['artifacts', 'policy.xml', '--to', '.'], { folder });
      expect(code).toBe(0);
      expect(errors).toContain('policy.xml has placeholders: set deployment.identity, deployment.service');
    });
  });
});
