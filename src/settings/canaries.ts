/** Canaries against the sources of the same file: each names a source that there is, and one machine. */
import type { Canary } from '../core/facts.ts';
import { foldSerialNumber, readRealSerialNumber } from '../core/serial-numbers.ts';
import { describeUnknownWord, formatProblem } from './sentences.ts';

/** A source by its name, with the operating systems that such a source lists; none where its kind is unknown. */
export interface CanarySource {
  readonly name: string;
  readonly platforms: readonly string[];
}

export function findCanaryProblems(canaries: readonly Canary[], sources: readonly CanarySource[]): string[] {
  const seen = new Map<string, number>();
  return canaries.flatMap(({ source, serial }, index) => {
    const at = ['deployment', 'canaries', index];
    const problems: string[] = [];
    const found = sources.find(({ name }) => name === source);
    if (found === undefined) {
      const names = sources.map(({ name }) => name);
      problems.push(formatProblem([...at, 'source'], describeUnknownWord(source, names)));
    }
    const folded = foldSerialNumber(serial);
    const platforms = found?.platforms ?? [];
    const isReal = (platform: string) => readRealSerialNumber({ serialNumber: serial, platform }) !== undefined;
    if (!(platforms.length === 0 ? [''] : platforms).some(isReal)) {
      problems.push(formatProblem([...at, 'serial'], `is "${serial}", which is no machine's own serial number`));
    }
    const key = `${source}\n${folded}`;
    const first = seen.get(key);
    if (first !== undefined) {
      problems.push(
        formatProblem(
          [...at, 'serial'],
          `is "${serial}", the machine of deployment.canaries[${first}]; name each once`,
        ),
      );
    }
    seen.set(key, first ?? index);
    return problems;
  });
}
