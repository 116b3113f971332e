/**
 * Every fault that Muster is held against, with what must come of it. A test names the faults that it proves in its
 * name, as `[A1]` or `[A1, H7]`; `docs/dev/reliability.md` is made from these tables and those names.
 */
import type { FaultArea } from './fault.ts';
import { fieldFaults } from './field-faults.ts';
import { readingFaults } from './reading-faults.ts';
import { runFaults } from './run-faults.ts';
import { storageFaults } from './storage-faults.ts';
import { transportFaults } from './transport-faults.ts';

export const faultAreas: readonly FaultArea[] = [
  ...transportFaults,
  ...readingFaults,
  ...storageFaults,
  ...runFaults,
  ...fieldFaults,
];
