/** Policies, scripts, profiles and group criteria as Jamf Pro writes them → what the checks want to know of them. */
import type { SmartGroupFacts } from '../../deployment/checks/groups.ts';
import type { PolicyFacts, UsedScript } from '../../deployment/checks/policy.ts';
import type { ProfileFacts } from '../../deployment/checks/profiles.ts';
import type { ScriptFacts } from '../../deployment/checks/script.ts';
import { listOf, recordOf } from '../read.ts';
import { child, children, type Element, textIn } from './classic.ts';

export function policyOf(root: Element): PolicyFacts {
  const packages = children(child(child(root, 'package_configuration'), 'packages'), 'package');
  return {
    enabled: textIn(child(root, 'general'), 'enabled') === 'true',
    scoped: isScoped(root),
    // The page calls it "Update Inventory".
    updatesInventory: textIn(child(root, 'maintenance'), 'recon') === 'true',
    packages: packages.filter((one) => /^install/i.test(textIn(one, 'action') ?? 'Install')).length,
    scripts: children(child(root, 'scripts'), 'script').map(usedScript),
  };
}

function usedScript(element: Element): UsedScript {
  return {
    name: textIn(element, 'name') ?? '',
    parameters: numbered((number) => textIn(element, `parameter${number}`)),
  };
}

export function profileOf(root: Element): ProfileFacts {
  return { scoped: isScoped(root), payloads: textIn(child(root, 'general'), 'payloads') ?? '' };
}

/** Whom a scope can name: https://developer.jamf.com/jamf-pro/reference (Classic, policies and profiles). */
const targets = ['computers', 'computer_groups', 'buildings', 'departments', 'jss_users', 'jss_user_groups'];

function isScoped(root: Element): boolean {
  const scope = child(root, 'scope');
  if (textIn(scope, 'all_computers') === 'true' || textIn(scope, 'all_jss_users') === 'true') return true;
  return targets.some((name) => Object.keys(recordOf(child(scope, name)) ?? {}).some((key) => key !== 'size'));
}

export function classicScript(root: Element): ScriptFacts {
  const labels = child(root, 'parameters');
  return {
    contents: textIn(root, 'script_contents') ?? '',
    labels: numbered((number) => textIn(labels, `parameter${number}`)),
  };
}

export function scriptOf(entry: Readonly<Record<string, unknown>>): ScriptFacts {
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  return {
    contents: text(entry.scriptContents) ?? '',
    labels: numbered((number) => text(entry[`parameter${number}`])),
  };
}

/** Parameters 4 to 11; one that is not set may be missing or empty. */
function numbered(read: (number: number) => string | undefined): ReadonlyMap<number, string> {
  return new Map(Array.from({ length: 8 }, (_, index) => [index + 4, read(index + 4) ?? '']));
}

export function groupOfApi(body: unknown): SmartGroupFacts {
  const criteria = listOf(recordOf(body)?.criteria).map((entry) => {
    const { name, searchType, value } = recordOf(entry) ?? {};
    return { name: String(name ?? ''), searchType: String(searchType ?? ''), value: String(value ?? '') };
  });
  return { smart: true, criteria };
}

export function classicGroup(root: Element): SmartGroupFacts {
  return {
    smart: textIn(root, 'is_smart') === 'true',
    criteria: children(child(root, 'criteria'), 'criterion').map((entry) => ({
      name: textIn(entry, 'name') ?? '',
      searchType: textIn(entry, 'search_type') ?? '',
      value: textIn(entry, 'value') ?? '',
    })),
  };
}
