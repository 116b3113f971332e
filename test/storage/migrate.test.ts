/** States that earlier versions wrote, in today's shape. */
import { expect, it } from 'vitest';
import { migrateState } from '../../src/storage/runs/migrate.ts';

it.each([1, 2])('what schema %i knew of suspect and untrusted nights becomes one letter a night', (schema) => {
  const provisional = [
    { id: '1', since: '2026-11-03' },
    { id: '2', since: '2026-11-01' },
    { id: '3', since: '2026-11-03', wasInstalled: true },
  ];
  const state = {
    schema,
    slot: '2026-11-03',
    sources: [{ name: 'macs', platform: 'macos', departed: [], provisional }],
  };

  expect(migrateState(state)?.sources[0]?.provisional).toEqual({
    nights: [
      { slot: '', soundness: 'suspect' },
      { slot: '2026-11-01', soundness: 'untrusted' },
      { slot: '2026-11-03', soundness: 'untrusted' },
    ],
    devices: [
      { id: '1', shown: '--N' },
      { id: '2', shown: '-NN' },
      { id: '3', shown: 'I-N' },
    ],
  });
});
