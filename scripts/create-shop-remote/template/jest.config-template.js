module.exports = require('@shop/tools/jest.base.js').browser();
