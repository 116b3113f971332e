/** Checks that every kind of source has: places of the agent that differ from the document, and the prerequisites. */

import { type Prerequisite, prerequisites } from '../definition.ts';
import { type DeploymentSettings, emptyDeploymentSettings } from '../settings.ts';
import type { Check } from './check.ts';
import { judgeAttestation } from './statements.ts';
import { pass, quoteText, reportNotChecked } from './verdicts.ts';

type Place = Readonly<Record<'setting' | 'set' | 'documented', string>>;

/** Checks whether the settings differ from the document, so that readers need not compare them. */
export function createPlacesCheck(
  id: string,
  listPlaces: (settings: DeploymentSettings) => readonly Place[],
): Check<unknown> {
  return {
    id,
    expected: 'the places of the deployment interface, or others that the settings name',
    blindSpot: 'where the installed agent really keeps its files: canaries show it',
    settings: listPlaces(emptyDeploymentSettings).map(({ setting }) => setting),
    judge(_reading, { settings }) {
      const others = listPlaces(settings).filter(({ set, documented }) => set !== documented);
      const differences = others.map(
        ({ setting, set, documented }) =>
          `${setting} is ${quoteText(set)}, where the deployment interface has ${quoteText(documented)}`,
      );
      return pass(differences.join('; ') || 'as in the deployment interface');
    },
  };
}

/** A sentence that proves a prerequisite from a source's reading; undefined where this run cannot. */
type Proof<Reading> = (reading: Reading, settings: DeploymentSettings) => string | undefined;

/** Checks of the identity mode's prerequisites (docs/coverage.md, section 1.1): proved by a source, otherwise attested. */
export function createPrerequisiteChecks<Reading>(
  proofs: Readonly<Partial<Record<Prerequisite['id'], Proof<Reading>>>>,
): Check<Reading>[] {
  return prerequisites.map(({ id, text, mode }) => ({
    id: `prerequisite.${id}`,
    expected: text,
    blindSpot: 'what the service knows: where no platform shows it, a person attests it',
    settings: [`deployment.attested.${id}`],
    group: 'prerequisites',
    mode,
    judge(reading, context) {
      const { identity, attested } = context.settings;
      if (identity === undefined) {
        return reportNotChecked('deployment.identity');
      }
      const proof = proofs[id]?.(reading, context.settings);
      if (proof !== undefined) {
        return pass(proof);
      }
      const setting = `deployment.attested.${id}`;
      return attested[id] === undefined
        ? reportNotChecked(setting)
        : judgeAttestation(id, context, `Verify it again, then update the date in ${setting}.`);
    },
  }));
}
