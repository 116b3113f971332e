/** Classic XML for the two smart groups and the policy: docs/coverage.md, section 1.3. */
import type { Status } from '../../core/facts.ts';
import { downloads, emailScript, scriptParameters } from '../definition.ts';
import { parseHost } from '../hosts.ts';
import { type Company, escapeXmlText, placeholders } from './render.ts';

const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8"?>';

export function renderSmartGroup({ jamf }: Company, holds: Status): string {
  const standard = holds === 'Installed' ? 'Agent Installed' : 'Agent Not Installed';
  const named = holds === 'Installed' ? jamf?.groups?.installed : jamf?.groups?.notInstalled;
  return `${xmlDeclaration}
<computer_group>
  <name>${escapeXmlText(named ?? standard)}</name>
  <is_smart>true</is_smart>
  <criteria>
    <criterion>
      <name>${escapeXmlText(jamf?.attribute ?? 'Agent Status')}</name>
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

/** Secrets are placeholders: an administrator enters them on the server's web page. */
export function renderPolicy({ deployment, jamf }: Company): string {
  const { macos, identity } = deployment;
  const isEmail = identity !== 'directory';
  const script = macos.script ?? (isEmail ? emailScript.name : 'deploy-directory.sh');
  const target = jamf?.groups?.notInstalled;
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
    <name>${escapeXmlText(macos.policy ?? 'Deploy endpoint agent')}</name>
    <enabled>true</enabled>
    <trigger_checkin>true</trigger_checkin>
    <frequency>Once per computer</frequency>
  </general>
  <scope>
${scope}
  </scope>${isEmail ? packagesXml : ''}
  <scripts>
    <size>1</size>
    <script>
      <name>${escapeXmlText(script)}</name>
      <priority>After</priority>${isEmail ? renderParameters(deployment, jamf?.url) : ''}
    </script>
  </scripts>
  <maintenance>
    <recon>true</recon>
  </maintenance>
</policy>
`;
}

const packagesXml = `
  <package_configuration>
    <packages>
      <size>1</size>
      <package>
        <name>${downloads.package.savedAs}</name>
        <action>Install</action>
      </package>
    </packages>
  </package_configuration>`;

function renderParameters({ service, windows }: Company['deployment'], server: string | undefined): string {
  const values: Readonly<Record<number, string>> = {
    4: placeholders.user,
    5: placeholders.password,
    6: (server && parseHost(server)) ?? placeholders.jamf,
    7: (service && parseHost(service)) ?? placeholders.service,
    8: placeholders.apiKey,
    9: windows.circleId ?? placeholders.circle,
  };
  return scriptParameters
    .map(({ number }) => `\n      <parameter${number}>${escapeXmlText(values[number] ?? '')}</parameter${number}>`)
    .join('');
}
