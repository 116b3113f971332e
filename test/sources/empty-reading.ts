import type { SourceReading } from '../../src/sources/source.ts';

export function createEmptyReading(): SourceReading {
  return {
    instrument: {},
    findings: [],
    groups: [],
    devices: [],
    receipt: { received: 0, pages: 0, walks: 0, retries: 0 },
  };
}
