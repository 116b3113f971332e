// The deploy tool loads CommonJS alone; what it gets is made in starts.ts and task.ts.
const names = ['compute', 'image', 'memory', 'subnets', 'securityGroups', 'logRetention'];

module.exports = async ({ resolveVariable }) => {
  const { renderStarts } = await import('./starts.ts');
  const { readTask, renderTask } = await import('./task.ts');
  const values = await Promise.all(names.map((name) => resolveVariable(`param:${name}, ''`)));
  const task = readTask(Object.fromEntries(names.map((name, index) => [name, values[index]])));
  const { Resources } = renderStarts(await resolveVariable("param:healingExpressions, ''"), task);
  return { Resources: { ...Resources, ...(task === undefined ? {} : renderTask(task).Resources) } };
};
