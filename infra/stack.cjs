// osls loads CommonJS alone; what it gets is made in resolve-stack.ts.
module.exports = async ({ resolveVariable }) => {
  const { resolveStack } = await import('./resolve-stack.ts');
  return resolveStack(String(await resolveVariable('sls:stage')), String(await resolveVariable("param:stack, ''")));
};
