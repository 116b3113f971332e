/** Where stores and keys lie: a path of this machine is never taken relative to a bucket. */
import { expect, it } from 'vitest';
import { openSigner, openStore } from '../../src/compose/parts.ts';

const bucket = 's3://example-settings/muster';
const refusal = { code: 'settings-invalid', message: expect.stringContaining(bucket) };

it('refuses a relative store or key where the settings lie in a bucket', async () => {
  await expect(openStore('./muster-data', bucket)).rejects.toMatchObject(refusal);
  expect(() => openSigner({ signing: 'file:muster.key' }, bucket)).toThrow(expect.objectContaining(refusal));
});

it('opens an absolute one wherever the settings lie', async () => {
  expect((await openStore('/srv/muster', bucket)).name).toBe('/srv/muster');
});
