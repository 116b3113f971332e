/** Classic XML for the two smart groups and the policy: section 1.3. */
import type { Status } from '../../core/facts.ts';
import { downloads, emailScript, scriptParameters } from '../definition.ts';
import { hostOf } from '../hosts.ts';
import { type Company, placeholders, xmlText } from './render.ts';

const head = '<?xml version="1.0" encoding="UTF-8"?>';

export function smartGroup({ jamf }: Company, holds: Status): string {
  const standard = holds === 'Installed' ? 'Agent Installed' : 'Agent Not Installed';
  const named = holds === 'Installed' ? jamf?.groups?.installed : jamf?.groups?.notInstalled;
  return `${head}
<computer_group>
  <name>${xmlText(named ?? standard)}</name>
  <is_smart>true</is_smart>
  <criteria>
    <criterion>
      <name>${xmlText(jamf?.attribute ?? 'Agent Status')}</name>
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

/** Secrets are filled in on the server's page, where the values are entered. */
export function policy({ deployment, jamf }: Company): string {
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
        <name>${xmlText(target)}</name>
      </computer_group>
    </computer_groups>`;
  return `${head}
<policy>
  <general>
    <name>${xmlText(macos.policy ?? 'Deploy endpoint agent')}</name>
    <enabled>true</enabled>
    <trigger_checkin>true</trigger_checkin>
    <frequency>Once per computer</frequency>
  </general>
  <scope>
${scope}
  </scope>${isEmail ? packages : ''}
  <scripts>
    <size>1</size>
    <script>
      <name>${xmlText(script)}</name>
      <priority>After</priority>${isEmail ? parametersOf(deployment, jamf?.url) : ''}
    </script>
  </scripts>
  <maintenance>
    <recon>true</recon>
  </maintenance>
</policy>
`;
}

const packages = `
  <package_configuration>
    <packages>
      <size>1</size>
      <package>
        <name>${downloads.package.savedAs}</name>
        <action>Install</action>
      </package>
    </packages>
  </package_configuration>`;

function parametersOf({ service, windows }: Company['deployment'], server: string | undefined): string {
  const values: Readonly<Record<number, string>> = {
    4: placeholders.user,
    5: placeholders.password,
    6: (server && hostOf(server)) ?? placeholders.jamf,
    7: (service && hostOf(service)) ?? placeholders.service,
    8: placeholders.apiKey,
    9: windows.circleId ?? placeholders.circle,
  };
  return scriptParameters
    .map(({ number }) => `\n      <parameter${number}>${xmlText(values[number] ?? '')}</parameter${number}>`)
    .join('');
}
