const { bundle } = require('./third-party');

module.exports = async () => {
  await Promise.all([bundle('browser'), bundle('server')]);
};
