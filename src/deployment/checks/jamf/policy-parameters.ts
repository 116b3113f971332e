/** The parameters that the policy hands to its script: docs/coverage.md, section 1.3. Values are compared and never shown. */
import type { DeploymentSettings } from '../../../settings/deployment/deployment.ts';
import { scriptParameters } from '../../definition.ts';
import { hasForeignPath, hasScheme, parseHost } from '../../hosts.ts';
import { isPlaceholder } from '../../placeholders.ts';
import type { Check } from '../check.ts';
import { fail, judgeOne, passOrFail, reportNotChecked } from '../verdicts.ts';
import { listDeploymentScripts, policyCreationAdvice, policyRepairAdvice, readParameter } from './policy.ts';
import type { JamfReading, PolicyScript } from './reading.ts';

export const policyParameters: Check<JamfReading> = {
  id: 'macos.policy-parameters',
  expected: 'parameters 4 to 9 filled in; hosts without https:// and path, this server, this service, this circle',
  blindSpot: 'whether the account, the password and the API key are right, and whether the key may invite users',
  settings: ['deployment.macos.policy', 'deployment.identity', 'deployment.service', 'deployment.windows.circleId'],
  judge({ policy, server }, { settings }) {
    if (settings.macos.policy === undefined) {
      return reportNotChecked('deployment.macos.policy');
    }
    if (settings.identity !== 'email') {
      return reportNotChecked('deployment.identity: email');
    }
    return judgeOne(policy, 'policy', policyCreationAdvice, (found) => {
      const [script] = listDeploymentScripts(settings, found);
      if (script === undefined) {
        return fail('it does not run the script', policyRepairAdvice);
      }
      const problems = [
        ...findUnfilledParameters(script),
        ...findWrongHosts(settings, server, script),
        ...findWrongCircle(settings, script),
      ];
      const well = 'parameters 4 to 9 are set, and those that Muster can compare are right';
      return passOrFail(problems, well, policyRepairAdvice);
    });
  },
};

function findUnfilledParameters(script: PolicyScript): string[] {
  return scriptParameters.flatMap(({ number, name }) => {
    const value = readParameter(script, number);
    if (value === '') {
      return [`parameter ${number} (${name}) is not set`];
    }
    return isPlaceholder(value) ? [`parameter ${number} (${name}) is still a placeholder`] : [];
  });
}

function findWrongHosts({ service }: DeploymentSettings, server: string, script: PolicyScript): string[] {
  const hosts = [
    [6, server, 'this Jamf Pro server'],
    [7, service, 'deployment.service'],
  ] as const;
  return hosts.flatMap(([number, address, what]) => {
    const value = readParameter(script, number);
    if (value === '' || isPlaceholder(value)) {
      return [];
    }
    if (hasScheme(value)) {
      return [`parameter ${number} holds a URL; it must be the host alone`];
    }
    if (hasForeignPath(value, address)) {
      return [`parameter ${number} holds a path behind the host`];
    }
    if (address === undefined || parseHost(value) === parseHost(address)) {
      return [];
    }
    return [`parameter ${number} is not the host of ${what}`];
  });
}

function findWrongCircle({ windows }: DeploymentSettings, script: PolicyScript): string[] {
  const value = readParameter(script, 9);
  if (value === '' || isPlaceholder(value) || windows.circleId === undefined || value === windows.circleId) {
    return [];
  }
  return ['parameter 9 is not the circle in the settings'];
}
