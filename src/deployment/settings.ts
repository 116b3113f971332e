/**
 * The block `deployment` of the settings, each with its meaning; each check names the settings that it uses. A check
 * whose setting is missing is not made.
 */
import * as v from 'valibot';
import {
  dateSchema,
  defineBlock,
  defineChoice,
  defineForm,
  defineOptionalBlock,
  describeOptional,
  describeOptionalText,
  describeSetting,
  flagSchema,
  textSchema,
} from '../settings/fields.ts';
import { canariesSchema } from '../settings/people/canaries.ts';
import { baseUrlSchema } from '../settings/urls.ts';
import { identityModes, macosFiles, type Prerequisite, prerequisites, windows } from './definition.ts';

const macosPathSchema = defineForm(
  /^(\/(?!\.{1,2}(\/|$))[^/\p{Cc}]+)+$/u,
  'must be the whole path of a file, such as /usr/local/fhfs/bin/fhagent',
);

/** The block `deployment.macos`: the company's own names on the server, and the agent's places on a Mac. */
const macosSchema = defineOptionalBlock({
  applicationFolder: describeOptionalText('the folder of the agent’s application'),
  applicationIdentifier: describeOptionalText(
    'its bundle id; folder or id is enough, since the team identifier tells whose an entry by bundle id is',
  ),
  teamIdentifier: describeOptionalText('the vendor’s team identifier, also in code requirements'),
  policy: describeOptionalText('the display name of the deployment policy'),
  script: describeOptionalText('the display name of its script'),
  profiles: defineOptionalBlock({
    extension: describeOptionalText('the display name of the profile that trusts the vendor’s extensions'),
    fileAccess: describeOptionalText('the display name of the profile that allows access to all files'),
  }),
  tools: describeOptional(flagSchema, '`true` when users run fhtools; the profile must then allow it too', false),
  agentFile: describeOptional(macosPathSchema, 'the file that says whether the agent is there', macosFiles.agent),
  toolsFile: describeOptional(macosPathSchema, 'the program that users run where `tools` is true', macosFiles.tools),
});

const windowsPathSchema = defineForm(
  /^([A-Za-z]:|%[A-Za-z0-9_()]+%)(\\[^\\/:*?"<>|\p{Cc}]+)+$/u,
  'must be a whole path, such as C:\\Windows\\System32\\drivers, without a backslash at its end',
);

const windowsFileSchema = defineForm(
  /^[^\\/:*?"<>|\p{Cc}]+$/u,
  'must be the name of a file, such as fhfs.sys, without its folder',
);

const meantAssignmentSchema = v.pipe(
  defineBlock({
    target: describeSetting(
      defineChoice(['group', 'allDevices', 'allUsers']),
      'who is meant: `group`, `allDevices` or `allUsers`',
    ),
    group: describeOptionalText('with `target: group`: its id or exact name'),
    intent: describeOptional(
      defineChoice(['available', 'required', 'availableWithoutEnrollment']),
      '`available`, `required` or `availableWithoutEnrollment`. Without it, `available`; of an exclusion, any',
    ),
    exclude: describeOptional(flagSchema, '`true` where the group is left out', false),
  }),
  v.check(
    ({ target, group }) => (target === 'group') === (group !== undefined),
    'target: group needs group, an id or exact name, and no other target has one',
  ),
  v.check(({ target, exclude }) => !exclude || target === 'group', 'only a group can be excluded'),
);

export type MeantAssignment = v.InferOutput<typeof meantAssignmentSchema>;

/** The block `deployment.windows`: the values in the app's commands, its assignments, and the agent's places on a PC. */
const windowsSchema = defineOptionalBlock({
  vendorFolder: describeOptionalText('the vendor’s folder below `Program Files (x86)`'),
  platformFolder: describeOptionalText('the folder below `ProgramData` with the client’s logs, for the checklist'),
  circleId: describeOptionalText('the circle, on both platforms'),
  memberRoleId: describeOptionalText('the role in the circle'),
  groups: describeOptional(
    v.array(textSchema, 'must be a list of group ids or names'),
    'the included groups, by id or exact name. Where neither this nor `alsoAssigned` is set, it is enough that the app is available to or required for somebody',
  ),
  alsoAssigned: describeOptional(
    v.array(meantAssignmentSchema, 'must be a list of assignments'),
    'assignments that are meant besides those to `groups`',
  ),
  uninstallFile: describeOptional(
    windowsPathSchema,
    'the whole path of the uninstaller; without it `uninstall.exe` in `vendorFolder` below `C:\\Program Files (x86)`',
  ),
  detection: defineOptionalBlock({
    path: describeOptional(
      windowsPathSchema,
      'the folder in the detection rule, character for character',
      windows.detection.path,
    ),
    file: describeOptional(
      windowsFileSchema,
      'the file in it that says whether the agent is there',
      windows.detection.file,
    ),
  }),
});

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

function defineAttestation(what: string) {
  return describeOptional(dateSchema, `when somebody vouched that ${what}`);
}

const prerequisiteAttestations = Object.fromEntries(
  prerequisites.map(({ id, text }) => [id, defineAttestation(text)]),
) as Readonly<Record<Prerequisite['id'], ReturnType<typeof defineAttestation>>>;

/** Attestations; each id is a setting of its own, so that an unknown one is refused with the nearest right one. */
const attestedSchema = defineOptionalBlock({
  ...prerequisiteAttestations,
  'account-read-only': defineAttestation(
    'the account in parameter 4 of the policy can only read; not needed where Muster signs in with it',
  ),
  'api-client-read-only': defineAttestation(
    'Muster’s own API client, of which the server does not say so, can only read',
  ),
});

export const deploymentSchema = defineOptionalBlock({
  identity: describeOptional(
    defineChoice(identityModes),
    '`email` or `directory`: which prerequisites apply, and the form of policy and script',
  ),
  service: describeOptional(
    baseUrlSchema,
    'the service’s address, `{base_url}`; its host stands in parameters and commands',
  ),
  macos: macosSchema,
  windows: windowsSchema,
  canaries: describeOptional(
    canariesSchema,
    'machines that are kept on purpose with and without the agent (below)',
    () => [],
  ),
  attested: attestedSchema,
  accepted: describeOptional(
    v.array(acceptanceSchema, 'must be a list of accepted scripts and detection rules'),
    'scripts and detection rules that a person has read',
    () => [],
  ),
});

export type DeploymentSettings = v.InferOutput<typeof deploymentSchema>;

export type AttestationId = keyof DeploymentSettings['attested'];

export const emptyDeploymentSettings: DeploymentSettings = v.parse(deploymentSchema, undefined);
