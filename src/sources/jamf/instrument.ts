/** The extension attribute's definition, from the Jamf Pro API (11.9 and newer) or the Classic API. */

import { MusterError } from '../../base/errors.ts';
import { computeSha256 } from '../../base/sha256.ts';
import type { AttributeFacts, JamfReading } from '../../deployment/checks/jamf/reading.ts';
import { findByName, quoteText } from '../../deployment/checks/verdicts.ts';
import { toUnixText } from '../../deployment/script-templates.ts';
import { createUnreadableAnswerError } from '../../http/body.ts';
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

/**
 * Reads the definition with exactly that name; undefined where the permission is missing. Records either for the
 * checks. `rememberedId` serves only to explain that the attribute was renamed.
 */
export async function readAttribute(
  jamf: JamfClient,
  name: string,
  record: Recorder<JamfReading>,
  rememberedId?: string,
): Promise<AttributeDefinition | undefined> {
  let nameError: MusterError;
  try {
    const all = await listAttributes(jamf);
    const found = findByName(all, name);
    if (found.kind === 'one') {
      const value = await found.value.read();
      if (value.id === '') {
        throw createUnreadableAnswerError(jamf.who, 'an extension attribute without a usable id');
      }
      record({ attribute: { kind: 'one', value } });
      return value;
    }
    const near = found.kind === 'none' ? found.near : undefined;
    record({ attribute: found.kind === 'none' ? { kind: 'none' } : { kind: 'several' } });
    nameError = createNameError(jamf.who, name, all, { near, rememberedId });
  } catch (error) {
    record({ attribute: toJamfReadFailure(error, permission) });
    // Older versions answer a missing permission on the Classic API with 401.
    if (hasCode(error, 'permission-missing', 'sign-in-refused')) {
      return undefined;
    }
    throw error;
  }
  throw nameError;
}

interface ListedAttribute extends Pick<AttributeDefinition, 'id' | 'name'> {
  /** Undefined in lists without scripts, such as that of the Classic API. */
  readonly script?: string;
  readonly read: () => Promise<AttributeDefinition>;
}

const classicAttributes = {
  path: '/JSSResource/computerextensionattributes',
  permission,
  list: 'computer_extension_attributes',
  item: 'computer_extension_attribute',
};

export function listAttributes(jamf: JamfClient): Promise<readonly ListedAttribute[]> {
  return callFirstSupported<readonly ListedAttribute[]>([
    () =>
      jamf.entries({ path: '/api/v1/computer-extension-attributes', permission }, (entry) => {
        const definition = parseApiAttribute(entry);
        return { ...definition, read: async () => definition };
      }),
    async () => {
      const all = await jamf.classicEntries(classicAttributes);
      const read = (id: string) => jamf.classicEntry(classicAttributes, id, parseClassicAttribute);
      return all.map(({ id, name }) => ({ id, name, read: () => read(id) }));
    },
  ]);
}

function parseApiAttribute(entry: unknown): AttributeDefinition {
  const { id, name, enabled, dataType, inputType, inventoryDisplayType, scriptContents } = readRecord(entry) ?? {};
  return {
    id: readId(id) ?? '',
    name: readString(name),
    enabled: enabled !== false,
    dataType: toApiWord(dataType),
    inputType: toApiWord(inputType),
    section: findInventorySection(inventoryDisplayType),
    script: readString(scriptContents),
  };
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

/** Translates the Classic API's values to the newer API's, so that a server upgrade does not look like a changed attribute. */
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

/** The error where no attribute, or several, have that name. */
function createNameError(
  who: string,
  name: string,
  all: readonly ListedAttribute[],
  { near, rememberedId }: { readonly near: string | undefined; readonly rememberedId: string | undefined },
): MusterError {
  const ids = all.filter((entry) => entry.name === name).map(({ id }) => id);
  if (ids.length > 0) {
    return new MusterError(
      'attribute-ambiguous',
      `${who} has ${ids.length} extension attributes "${name}" (ids ${ids.join(', ')}). Rename all but one.`,
    );
  }
  const now = all.find(({ id }) => id === rememberedId)?.name;
  const suggestion = near === undefined ? '' : ` Did you mean ${quoteText(near)}?`;
  const hint = now ? ` It is now called "${now}".` : suggestion;
  return new MusterError(
    'attribute-missing',
    `${who} has no extension attribute "${name}".${hint} Put its display name in the settings.`,
  );
}

/** Identifies the source of the values. Ignores line ends, in which the web page and the API differ. */
export function computeFingerprint(definition: AttributeDefinition): string {
  const { name, dataType, inputType, enabled } = definition;
  // Omits the last line break, as every earlier version did, so that fingerprints stay comparable.
  const script = toUnixText(definition.script).slice(0, -1);
  return computeSha256(JSON.stringify([name, dataType, inputType, enabled, script]));
}
