// The deploy tool loads CommonJS alone; what it gets is made in starts.ts.
module.exports = async ({ resolveVariable }) => {
  const { renderStarts } = await import('./starts.ts');
  return renderStarts(await resolveVariable("param:healingExpressions, ''"));
};
