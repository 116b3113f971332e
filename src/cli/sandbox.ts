/** `muster sandbox`: the simulated platforms alone, until they are stopped. Standard output is a settings file. */

import { faultNames, startSandbox } from '../../simulator/sandbox.ts';
import { command } from '../base/command.ts';
import { MusterError } from '../base/errors.ts';
import { printLines, waitForSignal } from './console/session.ts';

export interface SandboxCommandOptions {
  readonly devices: number;
  readonly port: number;
  readonly fault?: readonly string[];
}

export async function serveSandbox({ devices, port, fault: faults = [] }: SandboxCommandOptions): Promise<number> {
  if (faults.includes('list')) {
    return printLines(faultNames);
  }
  // The sandbox does not know Muster's errors; it fails for an unknown fault or a port that is in use.
  const running = await startSandbox({ devices, port, faults }).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new MusterError('command-line', `The sandbox was not started: ${reason}`, { cause });
  });
  const values = Object.entries(running.environment).map(([name, value]) => `# export ${name}=${value}`);
  const advice = `# Save this as muster.yaml, set these variables where you run Muster, and begin with: ${command} check`;
  printLines([advice, ...values]);
  process.stdout.write(running.settings());
  process.stderr.write(`The sandbox listens at ${running.url}; stop it with Ctrl-C.\n`);
  await waitForSignal();
  await running.close();
  return 0;
}
