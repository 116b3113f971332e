/** Canaries: their settings, and whether each names a source of the same file and one machine. */
import * as v from 'valibot';
import { foldSerialNumber, readRealSerialNumber } from '../../core/device/serial-numbers.ts';
import type { Canary } from '../../core/facts/facts.ts';
import { statuses } from '../../core/facts/vocabulary.ts';
import {
  defineBlock,
  defineChoice,
  describeSetting,
  describeUnknownWord,
  formatProblem,
  textSchema,
} from '../fields.ts';

const statusWords = Object.keys(statuses) as (keyof typeof statuses)[];

const canarySchema = defineBlock({
  source: describeSetting(textSchema, 'the source that lists the machine'),
  serial: describeSetting(textSchema, 'its serial number, in any spelling'),
  expect: describeSetting(defineChoice(statusWords), 'what its answer is when everything works'),
});

export const canariesSchema = v.array(canarySchema, 'must be a list of blocks with source, serial and expect');

/** A source by its name, with the operating systems that such a source lists; none where its kind is unknown. */
export interface CanarySource {
  readonly name: string;
  readonly operatingSystems: readonly string[];
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
    const operatingSystems = found?.operatingSystems ?? [];
    const isReal = (operatingSystem: string) =>
      readRealSerialNumber({ serialNumber: serial, operatingSystem }) !== undefined;
    if (!(operatingSystems.length === 0 ? [''] : operatingSystems).some(isReal)) {
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
