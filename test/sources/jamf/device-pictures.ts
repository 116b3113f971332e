/** What is read of devices, beside what is true of them. */
import type { Sandbox } from '../../../simulator/sandbox.ts';
import type { DeviceFacts } from '../../../src/core/facts/facts.ts';
import { jamfRules } from '../../../src/sources/jamf/rules.ts';

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

export function takeTruth(world: Sandbox) {
  return world
    .truth()
    .filter((row) => row.source === 'macs')
    .map((row) => ({ id: row.device_id, serial: row.serial_number, status: row.status, reason: row.reason }))
    .sort((one, other) => (one.id < other.id ? -1 : 1));
}
