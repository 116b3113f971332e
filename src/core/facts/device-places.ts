/** Identity of a device: its id and names, and the places where it belongs. */

/** Fields by which messages are chosen and coverage is divided. */
export const devicePlaces = ['site', 'department', 'building', 'category'] as const;

export type DevicePlace = (typeof devicePlaces)[number];

/** Copies the places alone; a place that is not known is undefined. */
export function pickPlaces({
  site,
  department,
  building,
  category,
}: Readonly<Partial<Record<DevicePlace, string | undefined>>>): Record<DevicePlace, string | undefined> {
  return { site, department, building, category };
}

/** An operating-system family as reports print it, such as `linux`. A string, so that a new one does not change the core. */
export type OperatingSystem = string;

/** Identity and places of a device; the kind's `fields` says which places the platform has. */
export interface DeviceIdentity extends Readonly<Partial<Record<DevicePlace, string>>> {
  /** The platform's own id. */
  readonly id: string;
  readonly name?: string;
  readonly serialNumber?: string;
  /** Shown, hashed or left out already, as `privacy.users` says. */
  readonly user?: string;
  /** Last contact with its server, ISO 8601 UTC. */
  readonly lastSeenAt?: string;
}
