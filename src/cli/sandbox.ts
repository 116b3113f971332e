/** `muster sandbox`: the simulated platforms alone, until they are stopped. Standard output is a settings file. */

import { faultNames, type Sandbox, startSandbox } from '../../simulator/sandbox.ts';
import { command } from '../base/command.ts';
import { MusterError } from '../base/errors.ts';
import { printLines } from './console/session.ts';

export interface SandboxCommandOptions {
  readonly devices: number;
  readonly port: number;
  readonly fault?: readonly string[];
}

export async function serveSandbox(options: SandboxCommandOptions): Promise<number> {
  const faults = options.fault ?? [];
  if (faults.includes('list')) {
    return printLines(faultNames);
  }
  const running = await startSimulatedPlatforms(options, faults);
  const values = Object.entries(running.environment).map(([name, value]) => `# export ${name}=${value}`);
  const intro = [
    `# Save this as muster.yaml, set these variables where you run Muster, and begin with: ${command} check`,
    ...values,
  ];
  process.stdout.write(`${intro.join('\n')}\n${running.settings()}`);
  process.stderr.write(`The sandbox listens at ${running.url}; stop it with Ctrl-C.\n`);
  await new Promise((resolve) => {
    process.once('SIGINT', resolve).once('SIGTERM', resolve);
  });
  await running.close();
  return 0;
}

/** The sandbox does not know Muster's errors; it fails for an unknown fault or a port that is in use. */
async function startSimulatedPlatforms(
  { devices, port }: SandboxCommandOptions,
  faults: readonly string[],
): Promise<Sandbox> {
  try {
    return await startSandbox({ devices, port, faults });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new MusterError('command-line', `The sandbox was not started: ${reason}`, { cause: error });
  }
}
