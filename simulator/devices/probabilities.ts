/** Every probability of the simulation: of devices at their enrollment, and of later events. */

export const probability = {
  macHasAgent: 0.88,
  windowsDeviceHasAgent: 0.85,
  /** A device without the agent whose user requested the app. */
  appRequestedWhereMissing: 1 / 2,
  /** A first device was last seen before night 0, so that some devices become stale on the nights to come. */
  silentAtStart: 0.03,
  macAtHeadquarters: 1 / 2,
  macNamedAfterUser: 1 / 3,
  /** Ids on real servers have gaps where devices were deleted. */
  gapBeforeNextMacId: 1 / 5,
  /** An extension attribute other than the agent's has no value on a Mac. */
  otherAttributeEmpty: 1 / 2,
  /** Something happens to a device during a night. */
  nightlyEvent: 0.01,
  /** A device that is not on the company's list of machines. */
  notOnList: 0.015,
  /** Machines on that list that were never enrolled, for each device. */
  neverEnrolled: 0.02,
  /** An agent that is installed and no longer runs. */
  agentStopped: 0.025,
} as const;

/** Events that are expected each night among all devices, at least; with few devices, each is likelier. */
export const minimumNightlyEvents = 0.5;

/** New devices for each event, so that about as many arrive as leave. */
export const arrivalsPerEvent = 0.14;

/**
 * Events of a night. Any event except deletion and re-enrollment makes a silent device report again. For a record whose
 * device was enrolled again, only deletion occurs.
 */
export type DeviceEvent =
  | 'record-deleted'
  /** Enrolled again under a new id; the old record is deleted, or stays and is silent. */
  | 're-enrolled'
  | 're-enrolled-beside-old-record'
  | 'falls-silent'
  | 'name-lost'
  /** The agent is installed where it is missing and removed where it is installed. */
  | 'agent-toggled'
  /** The agent is installed where it is missing; elsewhere the device only reports. */
  | 'agent-installed'
  /** The installation fails where the agent is missing. */
  | 'agent-install-fails'
  | 'attribute-value-lost'
  | 'management-toggled'
  | 'retired';

/** Events of a device in a night with an event, each with its percentage; they add up to 100. */
export type EventTable = readonly (readonly [DeviceEvent, percent: number])[];

export const macEvents: EventTable = [
  ['agent-toggled', 10],
  ['agent-installed', 20],
  ['record-deleted', 15],
  ['re-enrolled', 10],
  ['re-enrolled-beside-old-record', 3],
  ['falls-silent', 12],
  ['name-lost', 8],
  ['management-toggled', 10],
  ['attribute-value-lost', 5],
  ['agent-installed', 7],
];

export const windowsEvents: EventTable = [
  ['agent-toggled', 6],
  ['agent-installed', 24],
  ['record-deleted', 10],
  ['re-enrolled', 10],
  ['re-enrolled-beside-old-record', 3],
  ['falls-silent', 12],
  ['name-lost', 8],
  ['retired', 10],
  ['agent-installed', 12],
  ['agent-install-fails', 5],
];
