const recipe = require('../jest.base.js').browser();
recipe.setupFilesAfterEnv = [...recipe.setupFilesAfterEnv, require.resolve('./jest.setup.ts')];
module.exports = recipe;
