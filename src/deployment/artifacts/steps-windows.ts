/** Section 1.2 of the deployment interface (docs/coverage.md) as a checklist: its own steps, and those that work for a Win32 app. */
import { officeSteps, windows } from '../definition.ts';
import { placeholders } from '../placeholders.ts';
import type { Company } from './render.ts';
import { renderInstallCommand, renderUninstallCommand } from './windows.ts';

export function renderWindowsSteps(company: Company): string[] {
  const { detection, groups, platformFolder } = company.deployment.windows;
  const logs = windows.logs.replace(
    '<platform_folder>',
    (platformFolder ?? placeholders.platform).replaceAll('/', '\\'),
  );
  return [
    '## 2. Windows',
    '',
    `Sign in as a ${windows.roles.join(' or a ')}. For a trial subscription the creating account is the Global administrator.`,
    '',
    '**Package.**',
    '',
    `1. [ ] One folder holds exactly \`${windows.script}\` and \`${windows.installer}\`; the packaging tool is outside it.`,
    '2. [ ] `muster check --package FOLDER` reports `pass`.',
    '3. [ ] Package the folder with the platform’s packaging tool.',
    '',
    '**Add the app.** The document’s own steps go through the Office suite entry:',
    '',
    ...officeSteps.map((step, index) => `${index + 1}. ${step}`),
    '',
    'That entry accepts neither a command nor a file rule, so the document’s own commands and detection rule cannot be entered there. These steps work:',
    '',
    '1. [ ] Apps > All apps > Add; app type **Windows app (Win32)**; Select.',
    '2. [ ] Select the packaged file; name and publisher; Next.',
    `3. [ ] Install command (put the API key in place of \`${placeholders.apiKey}\`): \`${renderInstallCommand(company)}\``,
    `4. [ ] Uninstall command: \`${renderUninstallCommand(company)}\`; install behaviour System; Next.`,
    '5. [ ] Requirements: to match your devices; Next.',
    `6. [ ] Detection rules: configure manually, Add, rule type File, path \`${detection.path}\`, file \`${detection.file}\`, method "File or folder exists", 32-bit app on 64-bit clients No. No second rule. Next.`,
    '7. [ ] Dependencies and supersedence: none; scope tags: optional; assignments: below; Review + create, then Create.',
    '',
    'Or send `win32-app.json` to Microsoft Graph, and upload the package.',
    '',
    '**Assign.**',
    '',
    '1. [ ] Apps > All apps, select the app.',
    '2. [ ] Assignments > Add group.',
    `3. [ ] Assignment type: \`${windows.assignmentType}\`.`,
    `4. [ ] Included Groups > Select groups to include: ${groups === undefined ? 'your groups' : groups.map((group) => `\`${group}\``).join(', ')}.`,
    '5. [ ] Select > OK > OK > Save.',
    '',
    '**Verify on a device.** It must be enrolled, and the signed-in account must belong to an assigned group.',
    '',
    '1. [ ] Open the Company Portal app, find the agent and install it.',
    `2. [ ] \`${detection.path}\\${detection.file}\` exists.`,
    `3. [ ] The platform’s client logs are in \`${logs}\`.`,
  ];
}
