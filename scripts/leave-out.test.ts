const leaveOut = require('./leave-out.cjs') as (this: object, source: string) => string;

const library = `export function kept(a) {
  return a;
}
async function fetcher({
  key,
  href
}) {
  if (key) {
    return href;
  }
}
function prefetch(theirs, { rel } = {}) {
  return theirs;
}
class Store extends Base {
  constructor() {
    super();
  }
  load(names) {
    return names;
  }
}
class Other {
  load() {
    return 1;
  }
}
`;
const run = (functions: Record<string, string | null>) =>
  leaveOut.call({ resourcePath: 'library.js', getOptions: () => ({ functions }) }, library);

describe('functions of a library that are left out', () => {
  it('throw their name, and leave their neighbours as they are', () => {
    expect(run({ fetcher: null, 'Store.load': null })).toBe(
      library
        .replace('  if (key) {\n    return href;\n  }', 'throw Error("left out: fetcher");')
        .replace('    return names;', 'throw Error("left out: Store.load");'),
    );
  });

  it('may answer something instead', () => {
    expect(run({ prefetch: 'return [];' })).toBe(library.replace('  return theirs;', 'return [];'));
  });

  it.each(['gone', 'Store.gone', 'Gone.load'])('fail the build where %s is not there', (name) => {
    expect(() => run({ [name]: null })).toThrow(`library.js:`);
  });
});
