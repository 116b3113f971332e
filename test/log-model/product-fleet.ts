/** A platform whose answer is as complete, and as suspect, as a plan says, whatever the run is compared with. */
import type { CheckResult, DeviceFacts } from '../../src/core/facts/facts.ts';
import type { Source } from '../../src/sources/source.ts';
import { formatDay, type RunPlan } from './schedule.ts';

const fleetSize = 15;

/** The devices that may not be readable come last: a complete answer has all, one of completeness 0 lacks three. */
const mostUnread = 3;

/**
 * A whole answer holds every device with its agent. A suspect one lists a single device, another one in each answer, and
 * nothing about the agent: it is suspect on a first night, and beside any other answer.
 */
export function createFleet({ slot, completeness, isSuspect }: RunPlan, suspectAnswers: () => number): Source {
  return {
    name: 'macs',
    kind: 'jamf',
    async read(_ask, sheet) {
      const devices = Array.from({ length: fleetSize }, (_, index) => describeDevice(index, formatDay(slot)));
      const unread = devices.splice(fleetSize - (mostUnread - completeness));
      sheet.devices = isSuspect ? [pickSilent(devices, suspectAnswers())] : devices;
      sheet.unread = unread.map(({ id, operatingSystem }) => ({ id, operatingSystem }));
      sheet.findings = [passing];
      const { length } = sheet.devices;
      sheet.receipt = { ...sheet.receipt, claimed: length, received: length, pages: 1 };
    },
  };
}

const passing: CheckResult = {
  check: 'instrument',
  result: 'pass',
  expected: '',
  found: '',
  advice: '',
  instrument: true,
};

function pickSilent(devices: readonly DeviceFacts[], answer: number): DeviceFacts {
  const device = devices[answer % (fleetSize - mostUnread)];
  if (device === undefined) {
    throw new Error('The fleet has no such device.');
  }
  return { ...device, answers: [] };
}

function describeDevice(index: number, slot: string): DeviceFacts {
  const at = `${slot}T04:00:00Z`;
  return {
    id: String(index + 1),
    operatingSystem: 'macos',
    name: `device ${index}`,
    serialNumber: `SERIAL-${index}`,
    lastSeenAt: at,
    reportedAt: at,
    managementState: 'managed',
    answers: [{ value: 'Installed', at }],
  };
}
