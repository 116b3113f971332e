// osls loads CommonJS alone; what it gets is made in resolve-stack.ts.
module.exports = async ({ resolveVariable }) => {
  // `resolve-stack.ts` imports the page's assets, which are absent after `npm ci --ignore-scripts`.
  const { makePageAssets } = await import('./page.ts');
  await makePageAssets();
  const { resolveStack } = await import('./resolve-stack.ts');
  return resolveStack(String(await resolveVariable('sls:stage')), String(await resolveVariable("param:stack, ''")));
};
