/** What a run is told besides its sources' answers, from the settings as text. */
import { describe, expect, it } from 'vitest';
import { readRunContext } from '../../src/compose/run-context.ts';
import { least, parseSettings } from '../settings/least.ts';

const contextOf = (yaml: string) => readRunContext(parseSettings(yaml), '/nowhere', new Date('2026-06-01T05:15:00Z'));

describe('the facts of a run', () => {
  it('have the canaries in the settings, as they are written', async () => {
    const canaries = '[{ source: macs, serial: c02-AAAA00001, expect: Installed }]';
    expect(await contextOf(`${least}deployment: { canaries: ${canaries} }`)).toMatchObject({
      canaries: [{ source: 'macs', serial: 'c02-AAAA00001', expect: 'Installed' }],
    });
  });

  it('have what a person vouched for, and that it counts for a year', async () => {
    const sha256 = 'a'.repeat(64);
    const deployment = `
deployment:
  attested: { account-read-only: 2026-10-01 }
  accepted: [{ sha256: ${sha256}, by: Ada Example, on: 2024-02-29 }]
`;
    expect((await contextOf(least + deployment)).statements).toEqual([
      { kind: 'attestation', about: 'account-read-only', on: '2026-10-01', until: '2027-10-01' },
      { kind: 'acceptance', about: sha256, by: 'Ada Example', on: '2024-02-29', until: '2025-02-28' },
    ]);
  });

  it('have neither where the settings have none', async () => {
    const context = await contextOf(least);
    expect(Object.keys(context)).not.toContain('canaries');
    expect(Object.keys(context)).not.toContain('statements');
  });
});
