/** Turns policies, scripts, profiles and group criteria of Jamf Pro into what the checks need to know. */
import type { SmartGroupFacts } from '../../deployment/checks/groups.ts';
import type { PolicyFacts, PolicyScript } from '../../deployment/checks/policy.ts';
import type { ProfileFacts } from '../../deployment/checks/profiles.ts';
import type { ScriptFacts } from '../../deployment/checks/script.ts';
import { readList, readRecord, readString } from '../read.ts';
import { findChild, listChildren, readChildText, type XmlElement } from './classic.ts';

export function parsePolicy(root: XmlElement): PolicyFacts {
  const packages = listChildren(findChild(findChild(root, 'package_configuration'), 'packages'), 'package');
  return {
    enabled: readChildText(findChild(root, 'general'), 'enabled') === 'true',
    scoped: isScoped(root),
    // The web page calls it "Update Inventory".
    updatesInventory: readChildText(findChild(root, 'maintenance'), 'recon') === 'true',
    packages: packages.filter((one) => /^install/i.test(readChildText(one, 'action') ?? 'Install')).length,
    scripts: listChildren(findChild(root, 'scripts'), 'script').map(parsePolicyScript),
  };
}

function parsePolicyScript(element: XmlElement): PolicyScript {
  return {
    name: readChildText(element, 'name') ?? '',
    parameters: readParameters((number) => readChildText(element, `parameter${number}`)),
  };
}

export function parseProfile(root: XmlElement): ProfileFacts {
  return { scoped: isScoped(root), payloads: readChildText(findChild(root, 'general'), 'payloads') ?? '' };
}

/** What a scope can name: https://developer.jamf.com/jamf-pro/reference (Classic, policies and profiles). */
const scopeTargets = ['computers', 'computer_groups', 'buildings', 'departments', 'jss_users', 'jss_user_groups'];

function isScoped(root: XmlElement): boolean {
  const scope = findChild(root, 'scope');
  if (readChildText(scope, 'all_computers') === 'true' || readChildText(scope, 'all_jss_users') === 'true') {
    return true;
  }
  return scopeTargets.some((name) =>
    Object.keys(readRecord(findChild(scope, name)) ?? {}).some((key) => key !== 'size'),
  );
}

export function parseClassicScript(root: XmlElement): ScriptFacts {
  const labels = findChild(root, 'parameters');
  return {
    contents: readChildText(root, 'script_contents') ?? '',
    labels: readParameters((number) => readChildText(labels, `parameter${number}`)),
  };
}

export function parseApiScript(entry: Readonly<Record<string, unknown>>): ScriptFacts {
  return {
    contents: readString(entry.scriptContents),
    labels: readParameters((number) => readString(entry[`parameter${number}`])),
  };
}

/** Parameters 4 to 11; one that is not set may be missing or empty. */
function readParameters(read: (number: number) => string | undefined): ReadonlyMap<number, string> {
  return new Map(Array.from({ length: 8 }, (_, index) => [index + 4, read(index + 4) ?? '']));
}

export function parseApiGroup(body: unknown): SmartGroupFacts {
  const criteria = readList(readRecord(body)?.criteria).map((entry) => {
    const { name, searchType, value } = readRecord(entry) ?? {};
    return { name: String(name ?? ''), searchType: String(searchType ?? ''), value: String(value ?? '') };
  });
  return { smart: true, criteria };
}

export function parseClassicGroup(root: XmlElement): SmartGroupFacts {
  return {
    smart: readChildText(root, 'is_smart') === 'true',
    criteria: listChildren(findChild(root, 'criteria'), 'criterion').map((entry) => ({
      name: readChildText(entry, 'name') ?? '',
      searchType: readChildText(entry, 'search_type') ?? '',
      value: readChildText(entry, 'value') ?? '',
    })),
  };
}
