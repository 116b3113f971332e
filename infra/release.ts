/**
 * `npm run release`: makes the files with which a release runs on AWS without a checkout, in `dist-release/`: the
 * function, and a template that needs nothing but CloudFormation. Needs no account and no login.
 */
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { version } from '../src/base/version.ts';
import { runOsls } from './osls.ts';
import { renderPlainTemplate } from './plan/plain-template.ts';

const root = resolve(import.meta.dirname, '..');
const release = join(root, 'dist-release');
const packaged = join(release, 'packaged');

await rm(release, { recursive: true, force: true });
await mkdir(release);
await runOsls('package', `--package=${packaged}`);
const made = JSON.parse(await readFile(join(packaged, 'cloudformation-template-update-stack.json'), 'utf8'));
await writeFile(join(release, 'muster-cloudformation.json'), JSON.stringify(renderPlainTemplate(made)));
await copyFile(join(packaged, 'muster.zip'), join(release, `muster-lambda-${version}.zip`));
await rm(packaged, { recursive: true });
process.stdout.write(`${release} has the template and muster-lambda-${version}.zip.\n`);
