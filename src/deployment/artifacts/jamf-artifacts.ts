/** Artifacts for an administrator of Jamf Pro: docs/coverage.md, section 1.3. Groups and the policy are Classic XML. */
import type { Status } from '../../core/facts/vocabulary.ts';
import { placeholders, scriptParameters } from '../definition.ts';
import { removeScheme } from '../hosts.ts';
import { attributeTemplates, directoryTemplates } from '../script-templates.ts';
import { type Artifact, type Company, nameObjects } from './artifact.ts';
import { renderExtensionProfile, renderFileAccessProfile } from './profiles.ts';

const needsSource = 'sources[] with platform: jamf';

export const jamfArtifacts: readonly Artifact[] = [
  {
    name: 'extension-attribute.sh',
    isMeasuring: true,
    what: 'the script of the extension attribute',
    needs: [],
    render: ({ deployment }) => attributeTemplates[0].render(deployment.macos.agentFile),
    isProgram: true,
  },
  {
    name: 'deploy-directory.sh',
    what: 'the five documented steps for a directory-aware agent',
    needs: ['deployment.service'],
    render: ({ deployment }) => directoryTemplates[0].render(deployment.service ?? placeholders.service),
    isProgram: true,
  },
  {
    name: 'smart-group-installed.xml',
    isMeasuring: true,
    what: 'Classic XML of the group with the agent',
    needs: [],
    needsSource,
    render: (company) => renderSmartGroup(company, 'Installed'),
  },
  {
    name: 'smart-group-not-installed.xml',
    isMeasuring: true,
    what: 'Classic XML of the group without the agent',
    needs: [],
    needsSource,
    render: (company) => renderSmartGroup(company, 'Not Installed'),
  },
  {
    name: 'policy.xml',
    what: 'Classic XML of the deployment policy',
    needs: ['deployment.identity', 'deployment.service', 'deployment.windows.circleId'],
    needsSource,
    render: renderPolicy,
  },
  {
    name: 'kernel-extension.mobileconfig',
    what: 'the profile that approves the kernel extension',
    needs: ['deployment.macos.teamIdentifier'],
    render: (company) => renderExtensionProfile(company, 'kernel'),
  },
  {
    name: 'system-extension.mobileconfig',
    what: 'the profile that approves the system extension',
    needs: ['deployment.macos.teamIdentifier'],
    render: (company) => renderExtensionProfile(company, 'system'),
  },
  {
    name: 'file-access.mobileconfig',
    what: 'the profile that allows access to all files',
    needs: ['deployment.macos.teamIdentifier', 'deployment.macos.applicationFolder'],
    render: renderFileAccessProfile,
  },
];

const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8"?>';

function renderSmartGroup(company: Company, holds: Status): string {
  const { attribute, installedGroup, notInstalledGroup } = nameObjects(company);
  return `${xmlDeclaration}
<computer_group>
  <name>${escapeXmlText(holds === 'Installed' ? installedGroup : notInstalledGroup)}</name>
  <is_smart>true</is_smart>
  <criteria>
    <criterion>
      <name>${escapeXmlText(attribute)}</name>
      <priority>0</priority>
      <and_or>and</and_or>
      <search_type>is</search_type>
      <value>${holds}</value>
      <opening_paren>false</opening_paren>
      <closing_paren>false</closing_paren>
    </criterion>
  </criteria>
</computer_group>
`;
}

/** Renders the policy with placeholders for secrets, which an administrator enters on the server's web page. */
function renderPolicy(company: Company): string {
  const { deployment, server } = company;
  const { policy, script } = nameObjects(company);
  const target = server?.groups?.notInstalled;
  const scope =
    target === undefined
      ? '    <all_computers>true</all_computers>'
      : `    <all_computers>false</all_computers>
    <computer_groups>
      <computer_group>
        <name>${escapeXmlText(target)}</name>
      </computer_group>
    </computer_groups>`;
  return `${xmlDeclaration}
<policy>
  <general>
    <name>${escapeXmlText(policy)}</name>
    <enabled>true</enabled>
    <trigger_checkin>true</trigger_checkin>
  </general>
  <scope>
${scope}
  </scope>
  <scripts>
    <size>1</size>
    <script>
      <name>${escapeXmlText(script)}</name>
      <priority>After</priority>${deployment.identity === 'directory' ? '' : renderParameters(deployment, server?.url)}
    </script>
  </scripts>
  <maintenance>
    <recon>true</recon>
  </maintenance>
</policy>
`;
}

function renderParameters({ service, windows }: Company['deployment'], server: string | undefined): string {
  const values: Readonly<Record<number, string>> = {
    4: placeholders.user,
    5: placeholders.password,
    6: (server && removeScheme(server)) ?? placeholders.jamf,
    7: (service && removeScheme(service)) ?? placeholders.service,
    8: placeholders.apiKey,
    9: windows.circleId ?? placeholders.circle,
  };
  return scriptParameters
    .map(({ number }) => `\n      <parameter${number}>${escapeXmlText(values[number] ?? '')}</parameter${number}>`)
    .join('');
}

function escapeXmlText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 cannot contain these at all
  const printable = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '');
  return printable.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
