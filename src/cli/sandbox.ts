/** `muster sandbox`: the simulated platforms alone, until they are stopped. Standard output is a settings file. */
import { faultNames, startSandbox } from '../sandbox/sandbox.ts';

export interface SandboxCommand {
  readonly devices: number;
  readonly port: number;
  readonly fault?: readonly string[];
}

export async function sandbox(options: SandboxCommand): Promise<number> {
  const faults = options.fault ?? [];
  if (faults.includes('list')) {
    process.stdout.write(`${faultNames.join('\n')}\n`);
    return 0;
  }
  const running = await startSandbox({ devices: options.devices, port: options.port, faults });
  const values = Object.entries(running.environment).map(([name, value]) => `# export ${name}=${value}`);
  const intro = [
    '# Settings for the sandbox. Save this as muster.yaml, set the variables below, and run: muster run',
    ...values,
  ];
  process.stdout.write(`${intro.join('\n')}\n${running.settings()}`);
  process.stderr.write(`The sandbox answers at ${running.url}; stop it with Ctrl-C.\n`);
  await new Promise((resolve) => {
    process.once('SIGINT', resolve).once('SIGTERM', resolve);
  });
  await running.close();
  return 0;
}
