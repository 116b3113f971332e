/** The checks of a Fleet source. */
import type { Check } from '../../src/deployment/checks/check.ts';
import { createPrerequisiteChecks } from '../../src/deployment/checks/common-checks.ts';
import { judgeOne, type LookupResult, passOrFail } from '../../src/deployment/checks/verdicts.ts';
import type { PolicyFacts } from './parse.ts';

/** What is read for the checks. */
export interface FleetReading {
  readonly policy?: LookupResult<PolicyFacts>;
  /** The agent's file on Linux, which no other kind of source looks for. */
  readonly linuxFile: string;
}

const agentPolicy: Check<FleetReading> = {
  id: 'policy.query',
  expected: 'a policy whose query looks for the agent’s file on each operating system',
  blindSpot: 'whether the policy targets every host',
  settings: ['deployment.macos.agentFile', 'deployment.windows.detection.path', 'deployment.windows.detection.file'],
  instrument: true,
  judge: ({ policy, linuxFile }, { settings: { macos, windows } }) =>
    judgeOne(policy, 'policy', 'Create the policy, or correct its name in the settings.', ({ query }) => {
      const { path, file } = windows.detection;
      const places = [macos.agentFile, `${path}\\${file}`, linuxFile];
      const missing = places.filter((place) => !query.includes(place));
      const problems = missing.map((place) => `its query does not look for ${place}`);
      return passOrFail(
        problems,
        'it looks for the agent on each operating system',
        'Correct the query of the policy.',
      );
    }),
};

export const fleetChecks: readonly Check<FleetReading>[] = [agentPolicy, ...createPrerequisiteChecks<FleetReading>({})];
