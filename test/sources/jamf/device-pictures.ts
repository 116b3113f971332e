/** Pictures of devices: as they are read, and as the model judges them. */
import type { Simulator } from '../../../simulator/simulator.ts';
import type { DeviceFacts } from '../../../src/core/facts/facts.ts';
import { jamfRules } from '../../../src/sources/jamf/rules.ts';
import { judgeDevices } from '../../whole-runs/expected-runs.ts';

function readVerdict(device: DeviceFacts) {
  const [answer] = device.answers;
  if (answer === undefined) {
    return jamfRules.silent;
  }
  const word = answer.value.trim();
  return word === '' ? jamfRules.blank : (jamfRules.words.get(word) ?? jamfRules.other);
}

export function takePicture(devices: readonly DeviceFacts[]) {
  return devices.map((device) => {
    const { status, reason } = readVerdict(device);
    return { id: device.id, serial: (device.serialNumber ?? '').trim(), status, reason };
  });
}

export function listExpected(simulator: Simulator) {
  return judgeDevices(simulator)
    .filter((row) => row.source === 'macs')
    .map(({ facts, status, reason }) => ({ id: facts.id, serial: (facts.serialNumber ?? '').trim(), status, reason }));
}
