/** The agent's own places on a Mac. */
import { macosFiles } from '../../definition.ts';
import { createPlacesCheck } from '../agent-places.ts';

export const macosAgentPlaces = createPlacesCheck('macos.agent-places', ({ macos }) => [
  { setting: 'deployment.macos.agentFile', set: macos.agentFile, documented: macosFiles.agent },
  { setting: 'deployment.macos.toolsFile', set: macos.toolsFile, documented: macosFiles.tools },
]);
