/** States that earlier versions wrote, in today's shape. */
import { expect, it } from 'vitest';
import { migrateState } from '../../src/storage/runs/migrate.ts';

it('what schema 1 knew of suspect and untrusted nights becomes one letter a night', () => {
  const provisional = [
    { id: '1', since: '2026-11-03' },
    { id: '2', since: '2026-11-01' },
  ];
  const state = {
    schema: 1,
    slot: '2026-11-03',
    sources: [{ name: 'macs', platform: 'macos', departed: [], provisional }],
  };

  expect(migrateState(state)?.sources[0]?.provisional).toEqual({
    nights: [
      { slot: '2026-11-01', soundness: 'untrusted' },
      { slot: '2026-11-03', soundness: 'untrusted' },
    ],
    devices: [
      { id: '1', shown: '-N' },
      { id: '2', shown: 'NN' },
    ],
  });
});
