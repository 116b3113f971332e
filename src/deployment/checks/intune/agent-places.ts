/** The agent's own places on a PC. */
import { windows } from '../../definition.ts';
import { buildUninstallFile } from '../../windows-places.ts';
import { createPlacesCheck } from '../agent-places.ts';

export const windowsAgentPlaces = createPlacesCheck('windows.agent-places', ({ windows: own }) => {
  const documentedUninstaller = buildUninstallFile(own.vendorFolder ?? '<vendor_folder>');
  return [
    {
      setting: 'deployment.windows.detection.path',
      set: own.detection.path,
      documented: windows.detection.path,
    },
    {
      setting: 'deployment.windows.detection.file',
      set: own.detection.file,
      documented: windows.detection.file,
    },
    {
      setting: 'deployment.windows.uninstallFile',
      set: own.uninstallFile ?? documentedUninstaller,
      documented: documentedUninstaller,
    },
  ];
});
