/** Faults and unwritable places, as they meet a request at its position in a run. */
import type { Position } from './landmarks.ts';
import type { Fault, Unwritable } from './schedule.ts';

export function meetsFault(fault: Fault | undefined, { landmark, section, request }: Position): boolean {
  return fault?.landmark === landmark && fault?.section === section && fault.request === request;
}

const unwritableLandmarks = {
  commit: 'commits',
  latest: 'latest',
  audit: 'audit',
  copies: 'copies',
  removal: 'removals',
} as const;

export function isUnwritable({ landmark }: Position, unwritable: readonly Unwritable[]): boolean {
  return (
    landmark !== undefined &&
    landmark in unwritableLandmarks &&
    unwritable.includes(unwritableLandmarks[landmark as keyof typeof unwritableLandmarks])
  );
}
