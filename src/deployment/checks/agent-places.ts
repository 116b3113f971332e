/** Says where the settings differ from the document: whoever reads the report should not have to compare them. */
import { type DeploymentSettings, emptyDeploymentSettings } from '../../settings/deployment/deployment.ts';
import type { Check } from './check.ts';
import { pass, quoteText } from './verdicts.ts';

interface Place {
  readonly setting: string;
  readonly set: string;
  readonly documented: string;
}

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
      const differences = listPlaces(settings)
        .filter(({ set, documented }) => set !== documented)
        .map(
          ({ setting, set, documented }) =>
            `${setting} is ${quoteText(set)}, where the deployment interface has ${quoteText(documented)}`,
        );
      return pass(differences.length === 0 ? 'as in the deployment interface' : differences.join('; '));
    },
  };
}
