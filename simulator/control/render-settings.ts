/** A settings file for the running sandbox; `listEnvironment` has the variables it refers to. */
import { company } from '../platforms/company.ts';
import type { PlatformContext } from '../platforms/platform-context.ts';
import { type PlatformName, platformNames, platforms } from '../platforms/platforms.ts';
import { fillTemplate } from '../platforms/templates.ts';
import templates from './templates/settings.json' with { type: 'json' };

/** The settings of the source that reads each platform. */
const sourceLines: Readonly<Record<PlatformName, readonly string[]>> = templates.sources;

export function renderSettings(context: PlatformContext): string {
  const { urls, jamfOptions, graphOptions } = context;
  const { appId, newAppId, scriptName, directoryScriptName } = company;
  const values = {
    ...company,
    ...urls,
    auth: templates.jamfAuth[jamfOptions.signIn],
    app: graphOptions.upgradedApp ? `[${appId}, ${newAppId}]` : appId,
    population: graphOptions.population,
    identity: jamfOptions.identity,
    script: { email: scriptName, directory: directoryScriptName }[jamfOptions.identity],
  };
  const lines = [
    '# Settings for the sandbox: simulated platforms on this machine, made-up devices.',
    'agent: { name: Endpoint agent }',
    'sources:',
    ...platformNames.flatMap((platform) =>
      fillTemplate(sourceLines[platform], { ...values, source: platforms[platform].source }),
    ),
    ...fillTemplate(templates.deployment, values),
    ...listCanaryLines(context),
    `  attested: { ${renderAttestations(context)} }`,
  ];
  return `${lines.join('\n')}\n`;
}

/** Where there are so few Macs that there is no canary, there is no list of them. */
function listCanaryLines(context: PlatformContext): string[] {
  const lines = context
    .devices()
    .macs.flatMap(({ serialNumber, canary }) =>
      canary === undefined
        ? []
        : [`    - { source: ${platforms.jamf.source}, serial: ${serialNumber}, expect: ${canary} }`],
    );
  return lines.length === 0 ? [] : ['  canaries:', ...lines];
}

/** What neither platform shows: a person confirmed it a week before the sandbox started. */
function renderAttestations({ attestationDate, jamfOptions }: PlatformContext): string {
  return templates.attested[jamfOptions.identity].map((id) => `${id}: ${attestationDate}`).join(', ');
}
