exports.folders = '^(mfe-[^/]+|shell|shared|platform/[^/]+|server|backoffice/[^/]+|scripts|e2e|bench)/';
exports.wire = '^(server|backoffice/api)/src/wire\\.ts$';
exports.tests = ['\\.test\\.tsx?$', '/(test|tests|testing)/', '^server/soak/', '^scripts/jest/'];

exports.options = {
  // dependency-cruiser parses with TypeScript 6, which package.json installs beside 7 for such tools: 7 has no JavaScript API.
  tsPreCompilationDeps: true,
  doNotFollow: { path: 'node_modules' },
  exclude: { path: ['(^|/)(dist|\\.data|\\.cache|results|test-results)/'] },
  enhancedResolveOptions: {
    exportsFields: ['exports'],
    // `types` first: @shop/server/wire exists for types only.
    conditionNames: ['types', 'import', 'require', 'node', 'default'],
    extensions: ['.ts', '.tsx', '.mjs', '.cjs', '.js', '.mts', '.json'],
  },
};
