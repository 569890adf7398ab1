module.exports = (env) =>
  require('../rspack.base.js').hostConfig(__dirname, { mode: env.RSPACK_SERVE ? 'development' : 'production' });
