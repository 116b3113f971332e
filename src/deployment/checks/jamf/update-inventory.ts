/** Whether the policy sends a new inventory: docs/coverage.md, section 1.3. */
import type { Check } from '../check.ts';
import { judgeOne, passOrFail, reportNotChecked } from '../verdicts.ts';
import { policyCreationAdvice } from './policy.ts';
import type { JamfReading } from './reading.ts';

export const updateInventory: Check<JamfReading> = {
  id: 'macos.update-inventory',
  expected: 'the policy updates the inventory (Maintenance)',
  blindSpot: 'whether the inventory that a Mac then sends arrives: the age of its value shows it',
  settings: ['deployment.macos.policy'],
  judge({ policy }, { settings }) {
    if (settings.macos.policy === undefined) {
      return reportNotChecked('deployment.macos.policy');
    }
    const advice = 'Enable Update Inventory under Maintenance; without it the values arrive days late.';
    return judgeOne(policy, 'policy', policyCreationAdvice, ({ updatesInventory }) =>
      passOrFail(updatesInventory ? [] : ['Update Inventory is off'], 'Update Inventory is on', advice),
    );
  },
};
