// The deploy tool loads CommonJS alone; what it gets is made in query-tables.ts.
module.exports = async ({ resolveVariable }) => {
  const { renderQueryTables } = await import('./query-tables.ts');
  return renderQueryTables(await resolveVariable('self:custom.database'));
};
