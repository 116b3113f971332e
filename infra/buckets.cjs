// The deploy tool loads CommonJS alone; what it gets is made in buckets.ts.
module.exports = async () => (await import('./buckets.ts')).renderStackBuckets();
