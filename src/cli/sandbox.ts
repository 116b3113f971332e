/** `muster sandbox`: runs the simulated platforms alone until it is stopped. Standard output is a settings file. */

import { faultNames, startSimulator } from '../../simulator/simulator.ts';
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
  // The simulator does not know Muster's errors; it fails for an unknown fault or a used port.
  const running = await startSimulator({ devices, port, faults }).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new MusterError('command-line', `The simulator was not started: ${reason}`, { cause });
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
