/** The block `deployment.windows`: the values in the app's commands, its assignments, and the agent's places on a PC. */
import * as v from 'valibot';
import { windows } from '../../deployment/definition.ts';
import {
  defineBlock,
  defineChoice,
  defineForm,
  defineOptionalBlock,
  describeOptional,
  describeOptionalText,
  describeSetting,
  flagSchema,
  textSchema,
} from '../fields.ts';

const pathSchema = defineForm(
  /^([A-Za-z]:|%[A-Za-z0-9_()]+%)(\\[^\\/:*?"<>|\p{Cc}]+)+$/u,
  'must be a whole path, such as C:\\Windows\\System32\\drivers, without a backslash at its end',
);

const fileSchema = defineForm(
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

export const windowsSchema = defineOptionalBlock({
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
    pathSchema,
    'the whole path of the uninstaller; without it `uninstall.exe` in `vendorFolder` below `C:\\Program Files (x86)`',
  ),
  detection: defineOptionalBlock({
    path: describeOptional(
      pathSchema,
      'the folder in the detection rule, character for character',
      windows.detection.path,
    ),
    file: describeOptional(fileSchema, 'the file in it that says whether the agent is there', windows.detection.file),
  }),
});
