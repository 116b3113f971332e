// Tags of every resource: the product's own, and those of the settings, which arrive as JSON.
module.exports = async ({ resolveVariable }) => ({
  ...JSON.parse(await resolveVariable("param:tags, '{}'")),
  application: 'muster',
});
