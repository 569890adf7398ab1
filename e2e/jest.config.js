module.exports = require('../jest.base.js').node({ testTimeout: 120000 });
