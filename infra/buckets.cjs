// The deploy tool loads CommonJS alone; what it gets is made in buckets.ts.
module.exports = async ({ resolveVariable }) => {
  const { renderStackBuckets } = await import('./buckets.ts');
  return renderStackBuckets((await resolveVariable("param:tenants, ''")) !== '');
};
