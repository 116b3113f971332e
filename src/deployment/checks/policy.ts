/** Checks the deployment policy: docs/coverage.md, section 1.3. Its parameters' values are compared and never shown. */
import type { Finding } from '../../core/facts.ts';
import { scriptParameters } from '../definition.ts';
import type { DeploymentSettings } from '../deployment-settings.ts';
import { judgeOne, type LookupResult, passOrFail, reportNotChecked } from '../finding.ts';
import { hasScheme, parseHost } from '../hosts.ts';

export interface PolicyFacts {
  readonly enabled: boolean;
  readonly scoped: boolean;
  readonly updatesInventory: boolean;
  readonly packages: number;
  readonly scripts: readonly PolicyScript[];
}

export interface PolicyScript {
  readonly name: string;
  /** By number, 4 to 11. */
  readonly parameters: ReadonlyMap<number, string>;
}

const creationAdvice =
  'Create it as section 1.3 of the deployment interface describes, or put its display name in the settings.';
const repairAdvice =
  'Change the policy as section 1.3 of the deployment interface describes; `muster artifacts policy.xml` shows it.';

export function checkPolicy(settings: DeploymentSettings, found: LookupResult<PolicyFacts>): Finding {
  const check = 'macos.policy';
  if (settings.macos.policy === undefined) {
    return reportNotChecked(check, 'deployment.macos.policy');
  }
  return judgeOne(check, found, 'policy', creationAdvice, (policy) => {
    const problems: string[] = [];
    if (!policy.enabled) {
      problems.push('it is disabled');
    }
    const runs = listDeploymentScripts(settings, policy);
    if (runs.length === 0) {
      problems.push('it does not run the script');
    }
    if (runs.length > 1) {
      problems.push('it runs the script more than once');
    }
    if (settings.identity === 'email' && policy.packages === 0) {
      problems.push('it installs no package');
    }
    if (!policy.scoped) {
      problems.push('it has no scope');
    }
    return passOrFail(check, problems, 'enabled, runs the script, scoped', repairAdvice);
  });
}

export function checkUpdateInventory(settings: DeploymentSettings, found: LookupResult<PolicyFacts>): Finding {
  const check = 'macos.update-inventory';
  if (settings.macos.policy === undefined) {
    return reportNotChecked(check, 'deployment.macos.policy');
  }
  const advice = 'Enable Update Inventory under Maintenance; without it the values arrive days late.';
  return judgeOne(check, found, 'policy', creationAdvice, ({ updatesInventory }) =>
    passOrFail(check, updatesInventory ? [] : ['Update Inventory is off'], 'Update Inventory is on', advice),
  );
}

/** `server` is the address of the Jamf Pro server itself. */
export function checkPolicyParameters(
  settings: DeploymentSettings,
  server: string,
  found: LookupResult<PolicyFacts>,
): Finding {
  const check = 'macos.policy-parameters';
  if (settings.macos.policy === undefined) {
    return reportNotChecked(check, 'deployment.macos.policy');
  }
  if (settings.identity !== 'email') {
    return reportNotChecked(check, 'deployment.identity: email');
  }
  return judgeOne(check, found, 'policy', creationAdvice, (policy) => {
    const [script] = listDeploymentScripts(settings, policy);
    if (script === undefined) {
      return passOrFail(check, ['it does not run the script'], '', repairAdvice);
    }
    const problems = [
      ...findMissingParameters(script),
      ...findWrongHosts(settings, server, script),
      ...findWrongCircle(settings, script),
    ];
    return passOrFail(
      check,
      problems,
      'parameters 4 to 9 are set, and those that Muster can compare are right',
      repairAdvice,
    );
  });
}

/** Whether the policy sets that parameter of its script. */
export function hasPolicyParameter(settings: DeploymentSettings, policy: PolicyFacts, number: number): boolean {
  return listDeploymentScripts(settings, policy).some(({ parameters }) => readParameter(parameters, number) !== '');
}

function listDeploymentScripts({ macos }: DeploymentSettings, { scripts }: PolicyFacts): readonly PolicyScript[] {
  return macos.script === undefined ? scripts : scripts.filter(({ name }) => name === macos.script);
}

function findMissingParameters({ parameters }: PolicyScript): string[] {
  return scriptParameters
    .filter(({ number }) => readParameter(parameters, number) === '')
    .map(({ number, name }) => `parameter ${number} (${name}) is not set`);
}

function findWrongHosts({ service }: DeploymentSettings, server: string, { parameters }: PolicyScript): string[] {
  const hosts = [
    [6, server, 'this Jamf Pro server'],
    [7, service, 'deployment.service'],
  ] as const;
  return hosts.flatMap(([number, address, what]) => {
    const value = readParameter(parameters, number);
    if (value === '') {
      return [];
    }
    if (hasScheme(value)) {
      return [`parameter ${number} holds a URL; it must be the host alone`];
    }
    if (address === undefined || parseHost(value) === parseHost(address)) {
      return [];
    }
    return [`parameter ${number} is not the host of ${what}`];
  });
}

function findWrongCircle({ windows }: DeploymentSettings, { parameters }: PolicyScript): string[] {
  const value = readParameter(parameters, 9);
  if (value === '' || windows.circleId === undefined || value === windows.circleId) {
    return [];
  }
  return ['parameter 9 is not the circle in the settings'];
}

function readParameter(parameters: ReadonlyMap<number, string>, number: number): string {
  return parameters.get(number)?.trim() ?? '';
}
