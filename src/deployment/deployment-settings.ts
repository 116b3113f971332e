/**
 * The block `deployment` of the settings, each with its meaning and the checks that use it. A check whose setting is
 * missing is not made.
 */
import * as v from 'valibot';
import { statuses } from '../core/vocabulary.ts';
import { dateSchema, defineOptionalBlock, describeSetting, textSchema } from '../settings/fields.ts';
import { defineBlock, defineChoice } from '../settings/sentences.ts';
import { baseUrlSchema } from '../settings/urls.ts';
import type { CheckId } from './catalogue.ts';
import { identityModes, macosFiles, type Prerequisite, prerequisites, windows } from './definition.ts';

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

const macosPathSchema = v.pipe(
  textSchema,
  v.regex(
    /^(\/(?!\.{1,2}(\/|$))[^/\p{Cc}]+)+$/u,
    'must be the whole path of a file, such as /usr/local/fhfs/bin/fhagent',
  ),
);

const windowsPathSchema = v.pipe(
  textSchema,
  v.regex(
    /^([A-Za-z]:|%[A-Za-z0-9_()]+%)(\\[^\\/:*?"<>|\p{Cc}]+)+$/u,
    'must be a whole path, such as C:\\Windows\\System32\\drivers, without a backslash at its end',
  ),
);

const windowsFileSchema = v.pipe(
  textSchema,
  v.regex(/^[^\\/:*?"<>|\p{Cc}]+$/u, 'must be the name of a file, such as fhfs.sys, without its folder'),
);

const macosSchema = defineOptionalBlock({
  applicationFolder: v.optional(
    describeCheckSetting(textSchema, 'the folder of the agent’s application', ['macos.file-access-profile']),
  ),
  applicationIdentifier: v.optional(
    describeCheckSetting(
      textSchema,
      'its bundle id; folder or id is enough, since the team identifier tells whose an entry by bundle id is',
      ['macos.file-access-profile'],
    ),
  ),
  teamIdentifier: v.optional(
    describeCheckSetting(textSchema, 'the vendor’s team identifier, also in code requirements', [
      'macos.extension-profile',
      'macos.file-access-profile',
    ]),
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
  agentFile: v.optional(
    describeCheckSetting(macosPathSchema, 'the file that says whether the agent is there', [
      'macos.extension-attribute',
      'macos.file-access-profile',
      'macos.agent-places',
    ]),
    macosFiles.agent,
  ),
  toolsFile: v.optional(
    describeCheckSetting(macosPathSchema, 'the program that users run where `tools` is true', [
      'macos.file-access-profile',
      'macos.agent-places',
    ]),
    macosFiles.tools,
  ),
});

const meantAssignmentSchema = v.pipe(
  defineBlock({
    target: describeSetting(
      defineChoice(['group', 'allDevices', 'allUsers']),
      'who is meant: `group`, `allDevices` or `allUsers`',
    ),
    group: v.optional(describeSetting(textSchema, 'with `target: group`: its id or exact name')),
    intent: v.optional(
      describeSetting(
        defineChoice(['available', 'required', 'availableWithoutEnrollment']),
        '`available`, `required` or `availableWithoutEnrollment`. Without it, `available`; of an exclusion, any',
      ),
    ),
    exclude: v.optional(
      describeSetting(v.boolean('must be true or false'), '`true` where the group is left out'),
      false,
    ),
  }),
  v.check(
    ({ target, group }) => (target === 'group') === (group !== undefined),
    'target: group needs group, an id or exact name, and no other target has one',
  ),
  v.check(({ target, exclude }) => !exclude || target === 'group', 'only a group can be excluded'),
);

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
      'the included groups, by id or exact name. Where neither this nor `alsoAssigned` is set, it is enough that the app is available to or required for somebody',
      ['windows.assignment'],
    ),
  ),
  alsoAssigned: v.optional(
    describeCheckSetting(
      v.array(meantAssignmentSchema, 'must be a list of assignments'),
      'assignments that are meant besides those to `groups`',
      ['windows.assignment'],
    ),
  ),
  uninstallFile: v.optional(
    describeCheckSetting(
      windowsPathSchema,
      'the whole path of the uninstaller; without it `uninstall.exe` in `vendorFolder` below `C:\\Program Files (x86)`',
      ['windows.uninstall-command', 'windows.agent-places'],
    ),
  ),
  detection: defineOptionalBlock({
    path: v.optional(
      describeCheckSetting(windowsPathSchema, 'the folder in the detection rule, character for character', [
        'windows.detection-rule',
        'windows.agent-places',
      ]),
      windows.detection.path,
    ),
    file: v.optional(
      describeCheckSetting(windowsFileSchema, 'the file in it that says whether the agent is there', [
        'windows.detection-rule',
        'windows.agent-places',
      ]),
      windows.detection.file,
    ),
  }),
});

const statusWords = Object.keys(statuses) as (keyof typeof statuses)[];

const canarySchema = defineBlock({
  source: describeSetting(textSchema, 'the source that lists the machine'),
  serial: describeSetting(textSchema, 'its serial number, in any spelling'),
  expect: describeSetting(defineChoice(statusWords), 'what its answer is when everything works'),
});

export const canariesSchema = v.array(canarySchema, 'must be a list of blocks with source, serial and expect');

function defineAttestation(what: string, check: CheckId) {
  return v.optional(describeCheckSetting(dateSchema, `when somebody vouched that ${what}`, [check]));
}

const prerequisiteAttestations = Object.fromEntries(
  prerequisites.map(({ id, text }) => [id, defineAttestation(text, `prerequisite.${id}`)]),
) as Readonly<Record<Prerequisite['id'], ReturnType<typeof defineAttestation>>>;

/** Each id is a setting of its own, so that another one is refused, with the nearest right one. */
const attestedSchema = defineOptionalBlock({
  ...prerequisiteAttestations,
  'account-read-only': defineAttestation(
    'the account in parameter 4 of the policy can only read; not needed where Muster signs in with it',
    'macos.account-read-only',
  ),
  'api-client-read-only': defineAttestation(
    'Muster’s own API client, of which the server does not say so, can only read',
    'macos.permissions-read-only',
  ),
});

export const deploymentSchema = defineOptionalBlock({
  identity: v.optional(
    describeCheckSetting(
      defineChoice(identityModes),
      '`email` or `directory`: which prerequisites apply, and the form of policy and script',
      ['macos.policy', 'macos.policy-parameters', 'macos.script', 'macos.account-read-only'],
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
  canaries: v.optional(
    describeSetting(canariesSchema, 'machines that are kept on purpose with and without the agent (below)'),
    () => [],
  ),
  attested: attestedSchema,
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

export type MeantAssignment = v.InferOutput<typeof meantAssignmentSchema>;

export type AttestationId = keyof DeploymentSettings['attested'];

export type Acceptance = v.InferOutput<typeof acceptanceSchema>;

export const emptyDeploymentSettings: DeploymentSettings = v.parse(deploymentSchema, undefined);

function describeCheckSetting<const Schema extends v.GenericSchema>(
  schema: Schema,
  meaning: string,
  checks: readonly CheckId[],
) {
  return v.pipe(describeSetting(schema, meaning), v.metadata({ checks }));
}
