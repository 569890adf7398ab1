module.exports = (env) =>
  require('../rspack.base.js').remoteConfig(__dirname, { mode: env.RSPACK_SERVE ? 'development' : 'production' });
