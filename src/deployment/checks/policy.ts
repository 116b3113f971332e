/** Checks the deployment policy: docs/coverage.md, section 1.3. Its parameters' values are compared and never shown. */
import type { Finding } from '../../core/facts.ts';
import { scriptParameters } from '../definition.ts';
import type { DeploymentSettings } from '../deployment-settings.ts';
import { judgeOne, type LookupResult, passOrFail, reportNotChecked, reportUnknown } from '../finding.ts';
import { hasForeignPath, hasScheme, parseHost } from '../hosts.ts';
import { isPlaceholder } from '../placeholders.ts';
import { judgeScope, type ScopeFacts, scopeAdvice } from './scope.ts';

export interface PolicyFacts {
  readonly enabled: boolean;
  readonly scope: ScopeFacts;
  readonly updatesInventory: boolean;
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

/** `managed` are the ids of all managed computers; undefined where the inventory was not read in full. */
export function checkPolicy(
  settings: DeploymentSettings,
  found: LookupResult<PolicyFacts>,
  managed: readonly string[] | undefined,
): Finding {
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
    const scope = judgeScope(policy.scope, managed);
    problems.push(...scope.problems);
    if (problems.length === 0 && scope.unread !== undefined) {
      return reportUnknown(check, { why: scope.unread, advice: scopeAdvice });
    }
    return passOrFail(check, problems, `enabled, runs the script, ${scope.shown}`, repairAdvice);
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
      ...findUnfilledParameters(script),
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

/** The value of that parameter of the policy's script; undefined where it is empty or still a placeholder. */
export function findPolicyParameter(
  settings: DeploymentSettings,
  policy: PolicyFacts,
  number: number,
): string | undefined {
  return listDeploymentScripts(settings, policy)
    .map(({ parameters }) => readParameter(parameters, number))
    .find((value) => value !== '' && !isPlaceholder(value));
}

function listDeploymentScripts({ macos }: DeploymentSettings, { scripts }: PolicyFacts): readonly PolicyScript[] {
  return macos.script === undefined ? scripts : scripts.filter(({ name }) => name === macos.script);
}

function findUnfilledParameters({ parameters }: PolicyScript): string[] {
  return scriptParameters.flatMap(({ number, name }) => {
    const value = readParameter(parameters, number);
    if (value === '') {
      return [`parameter ${number} (${name}) is not set`];
    }
    return isPlaceholder(value) ? [`parameter ${number} (${name}) is still a placeholder`] : [];
  });
}

function findWrongHosts({ service }: DeploymentSettings, server: string, { parameters }: PolicyScript): string[] {
  const hosts = [
    [6, server, 'this Jamf Pro server'],
    [7, service, 'deployment.service'],
  ] as const;
  return hosts.flatMap(([number, address, what]) => {
    const value = readParameter(parameters, number);
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

function findWrongCircle({ windows }: DeploymentSettings, { parameters }: PolicyScript): string[] {
  const value = readParameter(parameters, 9);
  if (value === '' || isPlaceholder(value) || windows.circleId === undefined || value === windows.circleId) {
    return [];
  }
  return ['parameter 9 is not the circle in the settings'];
}

function readParameter(parameters: ReadonlyMap<number, string>, number: number): string {
  return parameters.get(number)?.trim() ?? '';
}
