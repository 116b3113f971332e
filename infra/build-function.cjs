// osls loads CommonJS alone. Packaging the stack, for a deployment too, begins with building the function.
const { execFile } = require('node:child_process');
const { join } = require('node:path');
const { promisify } = require('node:util');

module.exports = class BuildFunction {
  constructor() {
    const program = join(__dirname, 'bundle.ts');
    this.hooks = {
      'before:package:createDeploymentArtifacts': () =>
        promisify(execFile)(process.execPath, [program], { cwd: join(__dirname, '..') }),
    };
  }
};
