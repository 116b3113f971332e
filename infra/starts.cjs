// The deploy tool loads CommonJS alone; what it gets is made in starts.ts and task.ts.
const names = ['compute', 'image', 'memory', 'subnets', 'securityGroups', 'logRetention', 'tenantsSha256'];

module.exports = async ({ resolveVariable }) => {
  const { renderStarts } = await import('./starts.ts');
  const { readTask, renderTask } = await import('./task.ts');
  const { renderTenantsEnvironment } = await import('./environment.ts');
  const values = await Promise.all(names.map((name) => resolveVariable(`param:${name}, ''`)));
  const parameters = Object.fromEntries(names.map((name, index) => [name, values[index]]));
  const task = readTask(parameters);
  const more = renderTenantsEnvironment(parameters.tenantsSha256);
  const { Resources } = renderStarts(await resolveVariable("param:healingExpressions, ''"), task);
  return { Resources: { ...Resources, ...(task === undefined ? {} : renderTask(task, more).Resources) } };
};
