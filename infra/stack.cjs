// osls loads CommonJS alone; what it gets is made in stack/stack.ts.
module.exports = async ({ resolveVariable }) => (await import('./stack/stack.ts')).resolveStack(resolveVariable);
