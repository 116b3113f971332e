// The deploy tool loads CommonJS alone; what it gets is made in tenants.ts.
const names = [
  ...['tenants', 'tenantsConcurrency', 'tenantsSha256', 'tenantAudiences', 'tenantPartition', 'healingExpressions'],
  ...['auditBucket', 'compute', 'image', 'memory', 'subnets', 'securityGroups', 'logRetention'],
];

module.exports = async ({ resolveVariable }) => {
  const { renderTenants } = await import('./tenants.ts');
  const values = await Promise.all(names.map((name) => resolveVariable(`param:${name}, ''`)));
  const parameters = Object.fromEntries(names.map((name, index) => [name, String(values[index])]));
  return { Resources: renderTenants(parameters, await resolveVariable('self:custom.database')) };
};
