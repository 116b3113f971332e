/** Moto, somebody else's AWS (`moto_server` on the PATH), as a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process';

export interface Moto {
  readonly origin: string;
  stop(): void;
}

/** `door` is where it reaches other services of its own, where that is not itself. */
export async function startMoto(door?: string): Promise<Moto> {
  const server = spawn('moto_server', ['-H', '127.0.0.1', '-p', '0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...(door === undefined ? {} : { MOTO_PORT: new URL(door).port }) },
  });
  const kill = () => server.kill('SIGKILL');
  process.once('exit', kill);
  return {
    origin: await readOrigin(server),
    stop() {
      kill();
      process.off('exit', kill);
    },
  };
}

function readOrigin(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    server.stderr?.on('data', (piece: Buffer) => {
      said += piece.toString();
      const [origin] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? [];
      if (origin) {
        resolve(origin);
      }
    });
    server.once('exit', () => reject(new Error(`moto_server ended: ${said}`)));
    server.once('error', reject);
  });
}
