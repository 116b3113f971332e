/** The artifacts that are created on Jamf Pro. */
import { placeholders } from '../placeholders.ts';
import { attributeTemplates, directoryTemplates } from '../script-templates.ts';
import type { Artifact } from './artifact.ts';
import { renderPolicy, renderSmartGroup } from './jamf.ts';
import { renderExtensionProfile, renderFileAccessProfile } from './profiles.ts';

const needsSource = 'sources[] with platform: jamf';

export const jamfArtifacts: readonly Artifact[] = [
  {
    name: 'extension-attribute.sh',
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
    what: 'Classic XML of the group with the agent',
    needs: [],
    needsSource,
    render: (company) => renderSmartGroup(company, 'Installed'),
  },
  {
    name: 'smart-group-not-installed.xml',
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
