/** The deployment policy: docs/coverage.md, section 1.3. */
import type { DeploymentSettings } from '../../../settings/deployment/deployment.ts';
import { isPlaceholder } from '../../placeholders.ts';
import type { Check } from '../check.ts';
import { collectProblems, judgeOne, passOrFail, reportNotChecked, reportUnknown } from '../verdicts.ts';
import type { JamfReading, PolicyFacts, PolicyScript } from './reading.ts';
import { judgeScope, scopeAdvice } from './scope.ts';

export const policyCreationAdvice =
  'Create it as section 1.3 of the deployment interface describes, or put its display name in the settings.';
export const policyRepairAdvice =
  'Change the policy as section 1.3 of the deployment interface describes; `muster artifacts policy.xml` shows it.';

export const policyCheck: Check<JamfReading> = {
  id: 'macos.policy',
  expected: 'one policy of that name, enabled, that runs the script, with a scope that reaches computers',
  blindSpot:
    'on which computers it has run, whether the agent package is uploaded, and whom limitations and excluded buildings, departments and users leave out: these are shown and not compared',
  settings: ['deployment.macos.policy', 'deployment.identity'],
  judge(reading, { settings }) {
    if (settings.macos.policy === undefined) {
      return reportNotChecked('deployment.macos.policy');
    }
    return judgeOne(reading.policy, 'policy', policyCreationAdvice, (policy) => {
      const runs = listDeploymentScripts(settings, policy).length;
      const scope = judgeScope(policy.scope, reading.managed);
      const problems = collectProblems([
        [!policy.enabled, 'it is disabled'],
        [runs === 0, 'it does not run the script'],
        [runs > 1, 'it runs the script more than once'],
      ]).concat(scope.problems);
      if (problems.length === 0 && scope.unread !== undefined) {
        return reportUnknown(scope.unread, scopeAdvice);
      }
      return passOrFail(problems, `enabled, runs the script, ${scope.shown}`, policyRepairAdvice);
    });
  },
};

export function listDeploymentScripts(
  { macos }: DeploymentSettings,
  { scripts }: PolicyFacts,
): readonly PolicyScript[] {
  return macos.script === undefined ? scripts : scripts.filter(({ name }) => name === macos.script);
}

/** A parameter of the deployment script in whichever place it is set; undefined where it is empty or still a placeholder. */
export function findPolicyParameter(
  settings: DeploymentSettings,
  { policy }: Pick<JamfReading, 'policy'>,
  number: number,
): string | undefined {
  const scripts = policy.is === 'one' ? listDeploymentScripts(settings, policy.value) : [];
  return scripts.map((script) => readParameter(script, number)).find((value) => value !== '' && !isPlaceholder(value));
}

export function readParameter({ parameters }: PolicyScript, number: number): string {
  return parameters.get(number)?.trim() ?? '';
}
