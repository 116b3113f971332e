/** Where stores and keys lie: a path of this machine is never taken relative to a bucket. */
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findAuditProblem } from '../../src/compose/audit-place.ts';
import { openSigning, openStore } from '../../src/compose/parts.ts';

const bucket = 's3://example-settings/muster';
const refusal = { code: 'settings-invalid', message: expect.stringContaining(bucket) };

it('refuses a relative store or key where the settings lie in a bucket', async () => {
  await expect(openStore('./muster-data', bucket)).rejects.toMatchObject(refusal);
  expect(() => openSigning({ signing: 'file:muster.key', publicKeys: 'keys.pem' }, bucket)).toThrow(
    expect.objectContaining(refusal),
  );
});

it('opens an absolute one wherever the settings lie', async () => {
  expect((await openStore('/srv/muster', bucket)).name).toBe('/srv/muster');
});

it('A15: refuses an audit that is the store, however it is spelled, or lies below it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-places-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'store/below'), { recursive: true });
  await mkdir(join(folder, 'beside'));
  await symlink(join(folder, 'store'), join(folder, 'link'));
  const refused: readonly (readonly [store: string, audit: string])[] = [
    ...[
      'store',
      './store',
      'store/',
      'store//',
      '../x/../store/.',
      'store/below',
      'store/not/there',
      'link',
      'link/new',
    ].map((audit) => ['store', audit.replace('../x/../', `${folder}/x/../`)] as const),
    ['./store/', 'store'],
    ['link', 'store/below'],
    ['not-there', 'not-there/below'],
    ['.', 'beside'],
    ...['s3://bucket/prod', 's3://bucket/prod/', 's3://bucket/prod/audit'].map(
      (audit) => ['s3://bucket/prod', audit] as const,
    ),
    ['s3://bucket', 's3://bucket/audit'],
    ['s3://bucket/', 's3://bucket'],
  ];
  for (const [store, audit] of refused) {
    expect(await findAuditProblem({ store, audit }, folder), `${audit} for ${store}`).toMatch(
      /^audit: is the store itself/,
    );
  }
  const taken: readonly (readonly [store: string, audit: string | undefined])[] = [
    ['store', undefined],
    ['store', 'beside'],
    ['store', 'store-audit'],
    ['store', 's3://store'],
    ['store/below', 'store'],
    ['s3://bucket/prod', 's3://bucket/prod-audit'],
    ['s3://bucket/prod', 's3://bucket'],
    ['s3://bucket', 's3://bucket-audit'],
  ];
  for (const [store, audit] of taken) {
    const problem = await findAuditProblem({ store, ...(audit !== undefined && { audit }) }, folder);
    expect(problem, `${audit} for ${store}`).toBeUndefined();
  }
});
