#!/usr/bin/env node
/** The program that the package installs as `muster`. Checks the version of Node.js before it loads newer syntax. */
const [oldestMajor, oldestMinor] = [24, 14];
const { node } = process.versions;
const [major = 0, minor = 0] = node.split('.').map(Number);

if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
  const advice = 'Install a newer one from https://nodejs.org and run the command again.';
  process.stderr.write(
    `muster [command-line]: Muster needs Node.js ${oldestMajor}.${oldestMinor} or newer; this is ${node}. ${advice}\n`,
  );
  process.exitCode = 2;
} else {
  const isCheckout = import.meta.filename.endsWith('.ts');
  if (isCheckout) {
    const { enableCompileCache } = await import('node:module');
    const { join } = await import('node:path');
    // Node.js compiles the sources at each start; the cache is below `node_modules`, where only its owner can write.
    enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compile'));
  }
  const { existsSync } = await import('node:fs');
  if (isCheckout && !existsSync(new URL('reports/page/assets.ts', import.meta.url))) {
    process.stderr.write(
      'muster [command-line]: this checkout lacks the script of its page. Run `npm run page` first.\n',
    );
    process.exitCode = 2;
  } else {
    const { runProgram } = await import('./cli.ts');
    await runProgram();
  }
}
