/** Renders the ordered steps of the deployment interface for this company: who signs in, what to click, how to verify. */
import { posix } from 'node:path';
import {
  attribute,
  downloads,
  emailScript,
  macosFiles,
  officeSteps,
  placeholders,
  prerequisites,
  scriptParameters,
  windows,
} from '../definition.ts';
import { type Artifact, type Company, nameObjects } from './artifact.ts';
import { renderInstallCommand, renderUninstallCommand } from './intune-artifacts.ts';
import { extensionProfileDescription } from './profiles.ts';

/** Artifacts of no single kind of source; each kind brings its own. */
export const commonArtifacts: readonly Artifact[] = [
  {
    name: 'checklist.md',
    what: 'every step on both platforms, for this company',
    needs: ['deployment.identity'],
    render: renderChecklist,
  },
];

function renderChecklist(company: Company): string {
  return `# Deploying ${company.agent}

From the deployment interface of the data-protection service, with the values of the settings. A value in \`<ANGLE BRACKETS>\` is a secret, or is not set: fill it in where you enter it, and keep it out of files.

${renderPrerequisites(company)}

${renderWindowsSteps(company)}

${renderMacosSteps(company)}

## 4. Verification

- [ ] \`muster check\` reports \`pass\` for every check above, and lists what is left to verify by hand.
- [ ] Record in \`deployment.attested\` what no platform shows, with the date.
`;
}

function renderPrerequisites({ deployment: { identity } }: Company): string {
  const modes = {
    email: 'E-mail-based identity, all required before deployment:',
    directory: 'Directory-based identity, in this order:',
  };
  const lists = (['email', 'directory'] as const)
    .filter((mode) => identity === undefined || identity === mode)
    .map((mode) => {
      const steps = prerequisites
        .filter((prerequisite) => prerequisite.mode === mode)
        .map(({ id, text }, index) => `${index + 1}. [ ] ${text.charAt(0).toUpperCase()}${text.slice(1)}. (\`${id}\`)`);
      return `${modes[mode]}\n\n${steps.join('\n')}`;
    });
  const choice = 'Choose the identity mode first (`deployment.identity`: email or directory).\n\n';
  return `## 1. Prerequisites\n\n${identity === undefined ? choice : ''}${lists.join('\n')}`;
}

/** Section 1.2 of the deployment interface (docs/coverage.md): its own steps, and those for a Win32 app. */
function renderWindowsSteps(company: Company): string {
  const { detection, groups, platformFolder = placeholders.platform } = company.deployment.windows;
  const logs = windows.logs.replace('<platform_folder>', platformFolder.replaceAll('/', '\\'));
  return `## 2. Windows

Sign in as a ${windows.roles.join(' or a ')}. For a trial subscription the creating account is the Global administrator.

**Package.**

1. [ ] One folder holds exactly \`${windows.script}\` and \`${windows.installer}\`; the packaging tool is outside it.
2. [ ] \`muster check --package FOLDER\` reports \`pass\`.
3. [ ] Package the folder with the platform’s packaging tool.

**Add the app.** The document’s own steps go through the Office suite entry:

${officeSteps.map((step, index) => `${index + 1}. ${step}`).join('\n')}

That entry accepts neither a command nor a file rule, so the document’s own commands and detection rule cannot be entered there. These steps work:

1. [ ] Apps > All apps > Add; app type **Windows app (Win32)**; Select.
2. [ ] Select the packaged file; name and publisher; Next.
3. [ ] Install command (put the API key in place of \`${placeholders.apiKey}\`): \`${renderInstallCommand(company)}\`
4. [ ] Uninstall command: \`${renderUninstallCommand(company)}\`; install behaviour System; Next.
5. [ ] Requirements: to match your devices; Next.
6. [ ] Detection rules: configure manually, Add, rule type File, path \`${detection.path}\`, file \`${detection.file}\`, method "File or folder exists", 32-bit app on 64-bit clients No. No second rule. Next.
7. [ ] Dependencies and supersedence: none; scope tags: optional; assignments: below; Review + create, then Create.

Or send \`win32-app.json\` to Microsoft Graph, and upload the package.

**Assign.**

1. [ ] Apps > All apps, select the app.
2. [ ] Assignments > Add group.
3. [ ] Assignment type: \`${windows.assignmentType}\`.
4. [ ] Included Groups > Select groups to include: ${groups?.map((group) => `\`${group}\``).join(', ') ?? 'your groups'}.
5. [ ] Select > OK > OK > Save.

**Verify on a device.** It must be enrolled, and the signed-in account must belong to an assigned group.

1. [ ] Open the Company Portal app, find the agent and install it.
2. [ ] \`${detection.path}\\${detection.file}\` exists.
3. [ ] The platform’s client logs are in \`${logs}\`.`;
}

/** Section 1.3 of the deployment interface. */
function renderMacosSteps(company: Company): string {
  const { identity, macos } = company.deployment;
  const isEmail = identity !== 'directory';
  const names = nameObjects(company);
  const application = macos.applicationFolder ?? `${placeholders.application} (below ${macosFiles.applications})`;
  const newGroup = 'Groups > Smart Computer Groups > New';
  return `## 3. macOS

Sign in to the macOS platform with an account that may create scripts, policies, profiles and groups. Before you begin, upload the agent package and create a base deployment policy.

**Deployment script.**

1. [ ] Management Settings > Scripts > New; display name \`${names.script}\`.
${isEmail ? renderEmailScriptStep() : renderDirectoryScriptStep()}

**Policy** (\`policy.xml\`).

1. [ ] Policies > New; \`${names.policy}\`; enabled.
2. [ ] Scripts > Configure > Add \`${names.script}\`${isEmail ? '; enter the parameter values' : ''}.
3. [ ] Scope: the computers that are to have the agent. ${renderPolicyScope(company)}
4. [ ] Options > Maintenance: Update Inventory.

**Kernel extension approval profile** (\`kernel-extension.mobileconfig\`, \`system-extension.mobileconfig\`).

1. [ ] Content Management > Configuration Profiles > New; General: \`${names.extensionProfile}\`, described as "${extensionProfileDescription}". (Or upload one of the two rendered profiles: the first where the agent has a kernel extension, the second where it has a system extension.)
2. [ ] Options > System Extensions: a name, and the vendor’s team identifier \`${macos.teamIdentifier ?? placeholders.team}\`.
3. [ ] Scope: the computers that are to have the agent, and keep it once they have it; Save.

**File access profile** (\`file-access.mobileconfig\`).

1. [ ] Install the agent on the device used for this step.
2. [ ] In a privacy-preferences policy-control utility, add \`${application}\`, \`${macos.agentFile}\`${macos.tools ? `, \`${macos.toolsFile}\`` : ''}.
3. [ ] Set All Files access to Allow for each; Save. (Or use the rendered profile, and compare its code requirement with the utility’s.)
4. [ ] Content Management > Configuration Profiles > Upload; \`${names.fileAccessProfile}\`; Scope: the same computers; Save.

**Extension attribute and smart groups** (\`extension-attribute.sh\`, \`smart-group-installed.xml\`, \`smart-group-not-installed.xml\`).

1. [ ] Settings > Management Settings > Computer Management > Extension Attributes > New: \`${names.attribute}\`, Data Type \`String\`, Input Type \`Script (Shell)\`; paste \`extension-attribute.sh\`.
2. [ ] ${newGroup}: \`${names.installedGroup}\`; Criteria > Add > Show Advanced Criteria; \`${names.attribute}\` is \`${attribute.present}\`; Save.
3. [ ] ${newGroup}: \`${names.notInstalledGroup}\`; Criteria > Add > Show Advanced Criteria; \`${names.attribute}\` is \`${attribute.absent}\`; Save.

The three XML files can be sent to the Classic API instead: replace every value in angle brackets, then \`POST\` each group to \`/JSSResource/computergroups/id/0\`, and after them the policy to \`/JSSResource/policies/id/0\`, as \`application/xml\`.

**Verify on a device.**

1. [ ] \`${macos.agentFile}\` exists after the policy has run.
2. [ ] System Settings > Profiles (search for it; System Preferences before macOS 13) shows the file access profile with ${posix.basename(macos.agentFile)} (and ${posix.basename(macos.toolsFile)} if selected) allowed.
3. [ ] After the next inventory update, the computer is in the smart group of computers with the agent.`;
}

/** The scope of `policy.xml`: all computers, where the settings name no groups. */
function renderPolicyScope({ server }: Company): string {
  const group = server?.groups?.notInstalled;
  return group === undefined
    ? '`policy.xml` names all computers.'
    : `\`policy.xml\` names the smart group \`${group}\`, those that are still without it: create that group first, as below.`;
}

function renderEmailScriptStep(): string {
  const rows = scriptParameters.map(({ number, name, content }) => `| ${number} | ${name} | ${content} |`);
  return `2. [ ] Paste the service’s \`${emailScript.name}\`; label its parameters:

| parameter | label | content |
|---|---|---|
${rows.join('\n')}`;
}

function renderDirectoryScriptStep(): string {
  return `2. [ ] Paste \`deploy-directory.sh\`. It does, in this order:
   1. download \`${downloads.package.path}\` to \`${downloads.package.savedAs}\`,
   2. download \`${downloads.bundle.path}\` to \`${downloads.bundle.savedAs}\`,
   3. create \`${downloads.folder}\`,
   4. extract the bundle into it,
   5. run the system installer on the package with target \`${downloads.target}\`, verbose, as superuser.`;
}
