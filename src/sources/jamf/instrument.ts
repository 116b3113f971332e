/** The extension attribute's definition, from the Jamf Pro API (11.9 and newer) or the Classic API. */

import { MusterError } from '../../base/errors.ts';
import { computeSha256 } from '../../base/sha256.ts';
import { findNearest } from '../../core/text/nearest-name.ts';
import type { AttributeFacts } from '../../deployment/checks/jamf/reading.ts';
import { quoteText } from '../../deployment/checks/verdicts.ts';
import { toUnixText } from '../../deployment/script-templates.ts';
import { callFirstSupported, hasCode } from '../reading/attempt.ts';
import { readId, readRecord, readString } from '../reading/fields.ts';
import { findChild, readChildText, type XmlElement } from './classic.ts';
import type { JamfClient } from './client.ts';
import { allSections, type InventorySection } from './inventory.ts';

/** A definition, in memory only: the script's text is used for the checks and the fingerprint, and never stored. */
export interface AttributeDefinition extends AttributeFacts {
  readonly id: string;
  readonly name: string;
  /** The section of the inventory that shows it; undefined for an unknown section. */
  readonly section: InventorySection | undefined;
}

export const attributePermission = 'Read Computer Extension Attributes';

/** The definition with exactly that name, or undefined where the permission is missing. */
export async function readAttribute(
  jamf: JamfClient,
  name: string,
  rememberedId: string | undefined,
): Promise<AttributeDefinition | undefined> {
  try {
    return await callFirstSupported([
      () => readAttributeFromApi(jamf, name, rememberedId),
      () => readAttributeFromClassic(jamf, name, rememberedId),
    ]);
  } catch (error) {
    // Older versions answer a missing permission on the Classic API with 401.
    if (hasCode(error, 'permission-missing', 'sign-in-refused')) {
      return undefined;
    }
    throw error;
  }
}

async function readAttributeFromApi(
  jamf: JamfClient,
  name: string,
  rememberedId: string | undefined,
): Promise<AttributeDefinition> {
  const path = '/api/v1/computer-extension-attributes';
  const all = await jamf.entries({ path, permission: attributePermission }, (entry) => readRecord(entry) ?? {});
  const named = all.map((entry) => ({ id: readId(entry.id) ?? '', name: entry.name, entry }));
  const { id, entry } = requireOneAttribute(jamf, named, name, rememberedId);
  const { enabled, dataType, inputType, inventoryDisplayType, scriptContents } = entry;
  return {
    id,
    name,
    enabled: enabled !== false,
    dataType: toApiWord(dataType),
    inputType: toApiWord(inputType),
    section: findInventorySection(inventoryDisplayType),
    script: readString(scriptContents),
  };
}

async function readAttributeFromClassic(
  jamf: JamfClient,
  name: string,
  rememberedId: string | undefined,
): Promise<AttributeDefinition> {
  const item = 'computer_extension_attribute';
  const path = '/JSSResource/computerextensionattributes';
  const permission = attributePermission;
  const all = await jamf.classicEntries({ path, permission, list: 'computer_extension_attributes', item });
  const { id } = requireOneAttribute(jamf, all, name, rememberedId);
  return jamf.xml({ path: `${path}/id/${encodeURIComponent(id)}`, permission, root: item }, parseClassicAttribute);
}

export function parseClassicAttribute(root: XmlElement): AttributeDefinition {
  const input = findChild(root, 'input_type');
  const type = readChildText(input, 'type') ?? '';
  return {
    id: readChildText(root, 'id') ?? '',
    name: readChildText(root, 'name') ?? '',
    // Only scripts can be disabled; the other types do not mention it.
    enabled: readChildText(root, 'enabled') !== 'false',
    dataType: toApiWord(readChildText(root, 'data_type')),
    inputType: classicInputTypes.get(type) ?? toApiWord(type),
    section: findInventorySection(readChildText(root, 'inventory_display')),
    script: readChildText(input, 'script') ?? '',
  };
}

/** From the Classic API's values to those of the newer API, so that a server upgrade does not look like a changed attribute. */
const classicInputTypes = new Map([
  ['Text Field', 'TEXT'],
  ['Pop-up Menu', 'POPUP'],
  ['LDAP Mapping', 'DIRECTORY_SERVICE_ATTRIBUTE_MAPPING'],
]);

function toApiWord(value: unknown): string {
  return readString(value).toUpperCase().replaceAll(' ', '_');
}

function findInventorySection(value: unknown): InventorySection | undefined {
  return allSections.find((section) => section === toApiWord(value));
}

function requireOneAttribute<T extends { readonly id: string; readonly name: unknown }>(
  jamf: JamfClient,
  all: readonly T[],
  name: string,
  rememberedId: string | undefined,
): T {
  const found = all.filter((entry) => entry.name === name);
  const [one] = found;
  if (one === undefined) {
    const now = all.find((entry) => entry.id === rememberedId)?.name;
    const names = all.flatMap((entry) => (typeof entry.name === 'string' ? [entry.name] : []));
    const near = findNearest(name, names);
    const renamed =
      typeof now === 'string'
        ? ` It is now called "${now}".`
        : near === undefined
          ? ''
          : ` Did you mean ${quoteText(near)}?`;
    throw new MusterError(
      'attribute-missing',
      `${jamf.who} has no extension attribute "${name}".${renamed} Put its display name in the settings.`,
    );
  }
  if (found.length > 1) {
    const ids = found.map((entry) => entry.id).join(', ');
    throw new MusterError(
      'attribute-ambiguous',
      `${jamf.who} has ${found.length} extension attributes "${name}" (ids ${ids}). Rename all but one.`,
    );
  }
  return one;
}

/** Identifies what produces the values. Line ends are ignored, since the web page and the API differ in them. */
export function computeFingerprint(definition: AttributeDefinition): string {
  const { name, dataType, inputType, enabled } = definition;
  // Without the last line break, as in every earlier version, so that fingerprints stay comparable.
  const script = toUnixText(definition.script).slice(0, -1);
  return computeSha256(JSON.stringify([name, dataType, inputType, enabled, script]));
}
