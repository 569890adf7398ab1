module.exports = require('../rspack.base.js').hostConfig(__dirname);
