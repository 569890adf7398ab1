module.exports = require('../rspack.base.js').remoteConfig(__dirname);
