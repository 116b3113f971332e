#!/usr/bin/env node
/** What the package installs as `muster`: it loads nothing that an older Node.js cannot run before it has said so. */
const oldestVersion = 22;
const { node } = process.versions;

if (Number.parseInt(node, 10) < oldestVersion) {
  const advice = 'Install a newer one from https://nodejs.org and run the command again.';
  process.stderr.write(
    `muster [command-line]: Muster needs Node.js ${oldestVersion} or newer; this is ${node}. ${advice}\n`,
  );
  process.exitCode = 2;
} else {
  const { runProgram } = await import('./cli.ts');
  await runProgram();
}
