/** Settings of canaries, and the validation that each names a source of the same file and one machine. */
import * as v from 'valibot';
import type { Canary } from '../../core/facts/company.ts';
import { statuses } from '../../core/facts/vocabulary.ts';
import { foldSerialNumber, readRealSerialNumber } from '../../core/machine/serial-numbers.ts';
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

/** A source by its name, with the operating systems that it lists; none where its kind is unknown. */
export interface CanarySource {
  readonly name: string;
  readonly operatingSystems: readonly string[];
}

export function findCanaryProblems(canaries: readonly Canary[], sources: readonly CanarySource[]): string[] {
  const machines = canaries.map(({ source, serial }) => `${source}\n${foldSerialNumber(serial)}`);
  return canaries.flatMap(({ source, serial }, index) => {
    const found = sources.find(({ name }) => name === source);
    const operatingSystems = found?.operatingSystems.length ? found.operatingSystems : [''];
    const isReal = operatingSystems.some(
      (operatingSystem) => readRealSerialNumber({ serialNumber: serial, operatingSystem }) !== undefined,
    );
    const first = machines.indexOf(machines[index] ?? '');
    const names = sources.map(({ name }) => name);
    const problems = [
      ...(found === undefined ? [['source', describeUnknownWord(source, names)] as const] : []),
      ...(isReal ? [] : [['serial', `is "${serial}", which is no machine's own serial number`] as const]),
      ...(first < index
        ? [['serial', `is "${serial}", the machine of deployment.canaries[${first}]; name each once`] as const]
        : []),
    ];
    return problems.map(([setting, sentence]) => formatProblem(['deployment', 'canaries', index, setting], sentence));
  });
}
