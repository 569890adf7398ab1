const recipe = require('../jest.base.js').browser({ testTimeout: 30_000 });
recipe.setupFilesAfterEnv = [...recipe.setupFilesAfterEnv, require.resolve('./jest.setup.ts')];
module.exports = recipe;
