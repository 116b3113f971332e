// The deploy tool loads CommonJS alone; what it gets is made in environment.ts.
module.exports = async ({ resolveVariable }) => {
  const { renderEnvironment } = await import('./environment.ts');
  const [service, stage] = [await resolveVariable('self:service'), await resolveVariable('sls:stage')];
  return renderEnvironment(`${service}-${stage}`, await resolveVariable("param:tenantsSha256, ''"));
};
