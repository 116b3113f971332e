/** The policy that deploys: section 1.3, "Policy". Values of its parameters are compared and never shown. */
import type { Finding } from '../../core/facts.ts';
import { scriptParameters } from '../definition.ts';
import type { Deployment } from '../deployment-settings.ts';
import { type Found, judgeOne, notChecked, verdict } from '../finding.ts';
import { hasScheme, hostOf } from '../hosts.ts';

export interface PolicyFacts {
  readonly enabled: boolean;
  readonly scoped: boolean;
  readonly updatesInventory: boolean;
  readonly packages: number;
  readonly scripts: readonly UsedScript[];
}

export interface UsedScript {
  readonly name: string;
  /** By number, 4 to 11. */
  readonly parameters: ReadonlyMap<number, string>;
}

const create = 'Create it as section 1.3 says, or put its display name in the settings.';
const mend = 'Change the policy as section 1.3 says; `muster artifacts policy.xml` shows it.';

export function checkPolicy(asked: Deployment, found: Found<PolicyFacts>): Finding {
  const check = 'macos.policy';
  if (asked.macos.policy === undefined) return notChecked(check, 'deployment.macos.policy');
  return judgeOne(check, found, 'policy', create, (policy) => {
    const problems: string[] = [];
    if (!policy.enabled) problems.push('it is disabled');
    const runs = ours(asked, policy);
    if (runs.length === 0) problems.push('it does not run the script');
    if (runs.length > 1) problems.push('it runs the script more than once');
    if (asked.identity === 'email' && policy.packages === 0) problems.push('it installs no package');
    if (!policy.scoped) problems.push('it has no scope');
    return verdict(check, problems, 'enabled, runs the script, scoped', mend);
  });
}

export function checkUpdateInventory(asked: Deployment, found: Found<PolicyFacts>): Finding {
  const check = 'macos.update-inventory';
  if (asked.macos.policy === undefined) return notChecked(check, 'deployment.macos.policy');
  const advice = 'Enable Update Inventory under Maintenance; without it the answers come days late.';
  return judgeOne(check, found, 'policy', create, ({ updatesInventory }) =>
    verdict(check, updatesInventory ? [] : ['Update Inventory is off'], 'Update Inventory is on', advice),
  );
}

/** `server` is the address of the Jamf Pro server itself. */
export function checkPolicyParameters(asked: Deployment, server: string, found: Found<PolicyFacts>): Finding {
  const check = 'macos.policy-parameters';
  if (asked.macos.policy === undefined) return notChecked(check, 'deployment.macos.policy');
  if (asked.identity !== 'email') return notChecked(check, 'deployment.identity: email');
  return judgeOne(check, found, 'policy', create, (policy) => {
    const [script] = ours(asked, policy);
    if (script === undefined) return verdict(check, ['it does not run the script'], '', mend);
    const problems = [...missing(script), ...wrongHosts(asked, server, script), ...wrongCircle(asked, script)];
    return verdict(check, problems, 'parameters 4 to 9 are set, and those that can be compared are right', mend);
  });
}

/** Whether the policy hands its script something as that parameter. */
export function hasParameter(asked: Deployment, policy: PolicyFacts, number: number): boolean {
  return ours(asked, policy).some(({ parameters }) => parameterOf(parameters, number) !== '');
}

function ours({ macos }: Deployment, { scripts }: PolicyFacts): readonly UsedScript[] {
  return macos.script === undefined ? scripts : scripts.filter(({ name }) => name === macos.script);
}

function missing({ parameters }: UsedScript): string[] {
  return scriptParameters
    .filter(({ number }) => parameterOf(parameters, number) === '')
    .map(({ number, name }) => `parameter ${number} (${name}) is not set`);
}

function wrongHosts({ service }: Deployment, server: string, { parameters }: UsedScript): string[] {
  const hosts = [
    [6, server, 'this Jamf Pro server'],
    [7, service, 'deployment.service'],
  ] as const;
  return hosts.flatMap(([number, address, what]) => {
    const value = parameterOf(parameters, number);
    if (value === '') return [];
    if (hasScheme(value)) return [`parameter ${number} holds a URL; it must be the host alone`];
    if (address === undefined || hostOf(value) === hostOf(address)) return [];
    return [`parameter ${number} is not the host of ${what}`];
  });
}

function wrongCircle({ windows }: Deployment, { parameters }: UsedScript): string[] {
  const value = parameterOf(parameters, 9);
  if (value === '' || windows.circleId === undefined || value === windows.circleId) return [];
  return ['parameter 9 is not the circle in the settings'];
}

function parameterOf(parameters: ReadonlyMap<number, string>, number: number): string {
  return parameters.get(number)?.trim() ?? '';
}
