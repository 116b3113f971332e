/** The extension attribute's definition, from the Jamf Pro API (11.9 and newer) or the Classic API. */

import { MusterError } from '../../base/errors.ts';
import { computeSha256 } from '../../base/sha256.ts';
import type { AttributeFacts, JamfReading } from '../../deployment/checks/jamf/reading.ts';
import { findByName } from '../../deployment/checks/lookup.ts';
import { quoteText } from '../../deployment/checks/verdicts.ts';
import { toUnixText } from '../../deployment/script-templates.ts';
import { callFirstSupported, hasCode } from '../reading/attempt.ts';
import { readId, readRecord, readString } from '../reading/fields.ts';
import type { Recorder } from '../reading/progress.ts';
import { findChild, readChildText, type XmlElement } from './classic.ts';
import { type JamfClient, toJamfReadFailure } from './client.ts';
import { allSections, type InventorySection } from './inventory.ts';

/** A definition, in memory only: the script's text is used for the checks and the fingerprint, and never stored. */
export interface AttributeDefinition extends AttributeFacts {
  readonly id: string;
  readonly name: string;
  /** The section of the inventory that shows it; undefined for an unknown section. */
  readonly section: InventorySection | undefined;
}

const permission = 'Read Computer Extension Attributes';

interface AttributeQuery {
  readonly jamf: JamfClient;
  readonly name: string;
  /** Only to explain that the attribute has another name now. */
  readonly rememberedId: string | undefined;
}

/** The definition with exactly that name, or undefined where the permission is missing. The checks learn of it in any case. */
export async function readAttribute(
  query: AttributeQuery,
  record: Recorder<JamfReading>,
): Promise<AttributeDefinition | undefined> {
  try {
    const value = await callFirstSupported([() => readAttributeFromApi(query), () => readAttributeFromClassic(query)]);
    record({ attribute: { is: 'one', value } });
    return value;
  } catch (error) {
    record({ attribute: toAttributeFailure(error) });
    // Older versions answer a missing permission on the Classic API with 401.
    if (hasCode(error, 'permission-missing', 'sign-in-refused')) {
      return undefined;
    }
    throw error;
  }
}

function toAttributeFailure(error: unknown): Required<JamfReading>['attribute'] {
  if (hasCode(error, 'attribute-missing')) {
    return { is: 'none' };
  }
  return hasCode(error, 'attribute-ambiguous') ? { is: 'several' } : toJamfReadFailure(error, permission);
}

async function readAttributeFromApi(query: AttributeQuery): Promise<AttributeDefinition> {
  const { id, entry } = requireOneAttribute(query, await listFromApi(query.jamf));
  const { enabled, dataType, inputType, inventoryDisplayType, scriptContents } = entry;
  return {
    id,
    name: query.name,
    enabled: enabled !== false,
    dataType: toApiWord(dataType),
    inputType: toApiWord(inputType),
    section: findInventorySection(inventoryDisplayType),
    script: readString(scriptContents),
  };
}

async function listFromApi(jamf: JamfClient) {
  const path = '/api/v1/computer-extension-attributes';
  const all = await jamf.entries({ path, permission }, (entry) => readRecord(entry) ?? {});
  return all.map((entry) => ({ id: readId(entry.id) ?? '', name: entry.name, entry }));
}

const classicAttributes = {
  path: '/JSSResource/computerextensionattributes',
  permission,
  list: 'computer_extension_attributes',
  item: 'computer_extension_attribute',
};

async function readAttributeFromClassic(query: AttributeQuery): Promise<AttributeDefinition> {
  const { path, item } = classicAttributes;
  const { id } = requireOneAttribute(query, await query.jamf.classicEntries(classicAttributes));
  const request = { path: `${path}/id/${encodeURIComponent(id)}`, permission, root: item };
  return query.jamf.xml(request, parseClassicAttribute);
}

interface ListedAttribute {
  readonly name: string;
  /** Undefined where the list has no scripts, as that of the Classic API. */
  readonly script: string | undefined;
}

/** Every attribute of the server. */
export function listAttributes(jamf: JamfClient): Promise<readonly ListedAttribute[]> {
  return callFirstSupported<readonly ListedAttribute[]>([
    async () => {
      const all = await listFromApi(jamf);
      return all.map(({ name, entry }) => ({ name: readString(name), script: readString(entry.scriptContents) }));
    },
    async () => (await jamf.classicEntries(classicAttributes)).map(({ name }) => ({ name, script: undefined })),
  ]);
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
  { jamf, name, rememberedId }: AttributeQuery,
  all: readonly T[],
): T {
  const found = findByName(all, name);
  if (found.is === 'one') {
    return found.value;
  }
  if (found.is === 'none') {
    const now = all.find((entry) => entry.id === rememberedId)?.name;
    const suggestion = found.near === undefined ? '' : ` Did you mean ${quoteText(found.near)}?`;
    const renamed = typeof now === 'string' ? ` It is now called "${now}".` : suggestion;
    throw new MusterError(
      'attribute-missing',
      `${jamf.who} has no extension attribute "${name}".${renamed} Put its display name in the settings.`,
    );
  }
  const ids = all.filter((entry) => entry.name === name).map((entry) => entry.id);
  throw new MusterError(
    'attribute-ambiguous',
    `${jamf.who} has ${ids.length} extension attributes "${name}" (ids ${ids.join(', ')}). Rename all but one.`,
  );
}

/** Identifies what produces the values. Line ends are ignored, since the web page and the API differ in them. */
export function computeFingerprint(definition: AttributeDefinition): string {
  const { name, dataType, inputType, enabled } = definition;
  // Without the last line break, as in every earlier version, so that fingerprints stay comparable.
  const script = toUnixText(definition.script).slice(0, -1);
  return computeSha256(JSON.stringify([name, dataType, inputType, enabled, script]));
}
