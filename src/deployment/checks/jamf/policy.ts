/** Checks the deployment policy, the parameters of its script, and its inventory update: docs/coverage.md, section 1.3. */

import { isPlaceholder, scriptParameters } from '../../definition.ts';
import { hasForeignPath, hasScheme, parseHost } from '../../hosts.ts';
import type { DeploymentSettings } from '../../settings.ts';
import type { Check } from '../check.ts';
import { collectProblems, fail, judgeOne, passOrFail, reportNotChecked, type Verdict } from '../verdicts.ts';
import type { JamfReading, PolicyFacts, PolicyScript } from './reading.ts';
import { judgeScope, judgeWithScope } from './scope.ts';

export const creationAdvice =
  'Create it as section 1.3 of the deployment interface describes, or put its display name in the settings.';
const repairAdvice =
  'Change the policy as section 1.3 of the deployment interface describes; `muster artifacts policy.xml` shows it.';

function judgePolicy({ policy }: JamfReading, judge: (policy: PolicyFacts) => Verdict): Verdict {
  return judgeOne(policy, 'policy', creationAdvice, judge);
}

export const policyCheck: Check<JamfReading> = {
  id: 'macos.policy',
  expected: 'one policy of that name, enabled, that runs the script, with a scope that reaches computers',
  blindSpot:
    'on which computers it has run, whether the agent package is uploaded, and whom limitations and excluded buildings, departments and users leave out: these are shown and not compared',
  needs: ['deployment.macos.policy'],
  settings: ['deployment.identity'],
  judge: (reading, { settings }) =>
    judgePolicy(reading, (policy) => {
      const runs = listDeploymentScripts(settings, policy).length;
      const problems = collectProblems([
        [!policy.enabled, 'it is disabled'],
        [runs === 0, 'it does not run the script'],
        [runs > 1, 'it runs the script more than once'],
      ]);
      const scope = judgeScope(policy.scope, reading.managed);
      return judgeWithScope(problems, scope, 'enabled, runs the script', repairAdvice);
    }),
};

export const updateInventory: Check<JamfReading> = {
  id: 'macos.update-inventory',
  expected: 'the policy updates the inventory (Maintenance)',
  blindSpot: 'whether the inventory that a Mac then sends arrives: the age of its value shows it',
  needs: ['deployment.macos.policy'],
  judge: (reading) =>
    judgePolicy(reading, ({ updatesInventory }) => {
      const advice = 'Enable Update Inventory under Maintenance; without it the values arrive days late.';
      return passOrFail(updatesInventory ? [] : ['Update Inventory is off'], 'Update Inventory is on', advice);
    }),
};

/** Compares values without showing them. */
export const policyParameters: Check<JamfReading> = {
  id: 'macos.policy-parameters',
  expected: 'parameters 4 to 9 filled in; hosts without https:// and path, this server, this service, this circle',
  blindSpot: 'whether the account, the password and the API key are right, and whether the key may invite users',
  needs: ['deployment.macos.policy'],
  settings: ['deployment.identity', 'deployment.service', 'deployment.windows.circleId'],
  judge(reading, { settings }) {
    if (settings.identity !== 'email') {
      return reportNotChecked('deployment.identity: email');
    }
    return judgePolicy(reading, (policy) => {
      const [script] = listDeploymentScripts(settings, policy);
      if (script === undefined) {
        return fail('it does not run the script', repairAdvice);
      }
      const problems = [
        ...scriptParameters.flatMap(({ number, name }) => {
          const problem = findUnfilledProblem(script, number);
          return problem === undefined ? [] : [`parameter ${number} (${name}) ${problem}`];
        }),
        ...findWrongValues(settings, reading.server, script),
      ];
      const well = 'parameters 4 to 9 are set, and those that Muster can compare are right';
      return passOrFail(problems, well, repairAdvice);
    });
  },
};

function findUnfilledProblem(script: PolicyScript, number: number): string | undefined {
  const value = readParameter(script, number);
  if (value === '') {
    return 'is not set';
  }
  return isPlaceholder(value) ? 'is still a placeholder' : undefined;
}

/** Parameters with other values than the settings: both hosts, and the circle. */
function findWrongValues(
  { service, windows }: DeploymentSettings,
  server: string | undefined,
  script: PolicyScript,
): string[] {
  const comparable = [
    [6, (value: string) => findHostProblem(value, server, 'this Jamf Pro server')],
    [7, (value: string) => findHostProblem(value, service, 'deployment.service')],
    [9, (value: string) => (value === (windows.circleId ?? value) ? undefined : 'is not the circle in the settings')],
  ] as const;
  return comparable.flatMap(([number, findProblem]) => {
    const isFilled = findUnfilledProblem(script, number) === undefined;
    const problem = isFilled ? findProblem(readParameter(script, number)) : undefined;
    return problem === undefined ? [] : [`parameter ${number} ${problem}`];
  });
}

function findHostProblem(value: string, address: string | undefined, what: string): string | undefined {
  if (hasScheme(value)) {
    return 'holds a URL; it must be the host alone';
  }
  if (hasForeignPath(value, address)) {
    return hasForeignPath('', address) ? `is not the host and path of ${what}` : 'holds a path behind the host';
  }
  return address === undefined || parseHost(value) === parseHost(address) ? undefined : `is not the host of ${what}`;
}

function listDeploymentScripts({ macos }: DeploymentSettings, { scripts }: PolicyFacts): readonly PolicyScript[] {
  return macos.script === undefined ? scripts : scripts.filter(({ name }) => name === macos.script);
}

/** A parameter of the deployment script in any place where it can be set; undefined where it is empty or still a placeholder. */
export function findPolicyParameter(
  settings: DeploymentSettings,
  { policy }: Pick<JamfReading, 'policy'>,
  number: number,
): string | undefined {
  const scripts = policy?.kind === 'one' ? listDeploymentScripts(settings, policy.value) : [];
  const filled = scripts.find((script) => findUnfilledProblem(script, number) === undefined);
  return filled && readParameter(filled, number);
}

function readParameter({ parameters }: PolicyScript, number: number): string {
  return parameters.get(number)?.trim() ?? '';
}
