/**
 * The block `deployment` of the settings, each with its meaning and the checks that use it. A check whose setting is
 * missing is not made.
 */
import * as v from 'valibot';
import { dateSchema, defineOptionalBlock, describeSetting, textSchema } from '../settings/fields.ts';
import { defineBlock, defineChoice } from '../settings/sentences.ts';
import { baseUrlSchema } from '../settings/urls.ts';
import type { CheckId } from './catalogue.ts';
import { identityModes } from './definition.ts';

const acceptanceSchema = defineBlock({
  sha256: describeSetting(
    v.pipe(v.string('must be 64 hex digits'), v.regex(/^[0-9a-f]{64}$/i, 'must be 64 hex digits'), v.toLowerCase()),
    'the hash of a script or a detection rule that a person has read; the finding shows it',
  ),
  // The finding suggests a line with this text; a person must replace it.
  by: describeSetting(
    v.pipe(textSchema, v.notValue('YOUR NAME', 'must be the name of the person who read it')),
    'who read it',
  ),
  on: describeSetting(dateSchema, 'when; it is valid for a year from then'),
});

const macosSchema = defineOptionalBlock({
  applicationFolder: v.optional(
    describeCheckSetting(textSchema, 'the folder of the agent’s application', ['macos.file-access-profile']),
  ),
  applicationIdentifier: v.optional(
    describeCheckSetting(textSchema, 'its bundle id; folder or id is enough', ['macos.file-access-profile']),
  ),
  teamIdentifier: v.optional(
    describeCheckSetting(textSchema, 'the vendor’s team identifier', ['macos.extension-profile']),
  ),
  policy: v.optional(
    describeCheckSetting(textSchema, 'the display name of the deployment policy', [
      'macos.policy',
      'macos.policy-parameters',
      'macos.update-inventory',
    ]),
  ),
  script: v.optional(describeCheckSetting(textSchema, 'the display name of its script', ['macos.script'])),
  profiles: defineOptionalBlock({
    extension: v.optional(
      describeCheckSetting(textSchema, 'the display name of the profile that trusts the vendor’s extensions', [
        'macos.extension-profile',
      ]),
    ),
    fileAccess: v.optional(
      describeCheckSetting(textSchema, 'the display name of the profile that allows access to all files', [
        'macos.file-access-profile',
      ]),
    ),
  }),
  tools: v.optional(
    describeCheckSetting(
      v.boolean('must be true or false'),
      '`true` when users run fhtools; the profile must then allow it too',
      ['macos.file-access-profile'],
    ),
    false,
  ),
});

const windowsSchema = defineOptionalBlock({
  vendorFolder: v.optional(
    describeCheckSetting(textSchema, 'the vendor’s folder below `Program Files (x86)`', ['windows.uninstall-command']),
  ),
  platformFolder: v.optional(
    describeCheckSetting(textSchema, 'the folder below `ProgramData` with the client’s logs, for the checklist', []),
  ),
  circleId: v.optional(
    describeCheckSetting(textSchema, 'the circle, on both platforms', [
      'windows.install-command',
      'macos.policy-parameters',
    ]),
  ),
  memberRoleId: v.optional(describeCheckSetting(textSchema, 'the role in the circle', ['windows.install-command'])),
  groups: v.optional(
    describeCheckSetting(
      v.array(textSchema, 'must be a list of group ids or names'),
      'the included groups, by id or exact name',
      ['windows.assignment'],
    ),
  ),
});

export const deploymentSchema = defineOptionalBlock({
  identity: v.optional(
    describeCheckSetting(
      defineChoice(identityModes),
      '`email` or `directory`: which prerequisites apply, and the form of policy and script',
      ['macos.policy', 'macos.script'],
    ),
  ),
  service: v.optional(
    describeCheckSetting(
      baseUrlSchema,
      'the service’s address, `{base_url}`; its host stands in parameters and commands',
      ['service.package', 'service.bundle', 'macos.policy-parameters', 'windows.install-command'],
    ),
  ),
  macos: macosSchema,
  windows: windowsSchema,
  attested: v.optional(
    describeCheckSetting(
      v.record(v.string(), dateSchema),
      'by the id of a prerequisite (below), or `account-read-only` for an API client: the date on which somebody vouched for what no platform shows; it is valid for a year',
      ['macos.account-read-only'],
    ),
    () => ({}),
  ),
  accepted: v.optional(
    describeCheckSetting(
      v.array(acceptanceSchema, 'must be a list of accepted scripts and detection rules'),
      'scripts and detection rules that a person has read',
      ['macos.extension-attribute', 'macos.script', 'windows.detection-rule'],
    ),
    () => [],
  ),
});

export type DeploymentSettings = v.InferOutput<typeof deploymentSchema>;

export type Acceptance = v.InferOutput<typeof acceptanceSchema>;

export const emptyDeploymentSettings: DeploymentSettings = v.parse(deploymentSchema, undefined);

function describeCheckSetting<const Schema extends v.GenericSchema>(
  schema: Schema,
  meaning: string,
  checks: readonly CheckId[],
) {
  return v.pipe(describeSetting(schema, meaning), v.metadata({ checks }));
}
