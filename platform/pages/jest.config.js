module.exports = require('../../jest.base.js').node({ setupFilesAfterEnv: [require.resolve('./src/testing/site.ts')] });
