import vm from 'node:vm';

const outer = vm.compileFunction;
const { keepCompiledCode } = require('./code-cache') as { keepCompiledCode(): void };
const { compileFunction } = vm;
// It is what jest itself compiles the next test file with.
vm.compileFunction = outer;

const run = (source: string, globals: object = {}) =>
  compileFunction(source, ['module'], { filename: '/module.js', parsingContext: vm.createContext(globals) })({});

it('runs the code of an earlier file with the globals of the new one', () => {
  expect(run('return place;', { place: 'first' })).toBe('first');
  keepCompiledCode();
  expect(run('return place;', { place: 'second' })).toBe('second');
});

it('compiles a file that has changed, also to the same length', () => {
  expect(run('return 1;')).toBe(1);
  keepCompiledCode();
  expect(run('return 2;')).toBe(2);
});

it('says where an error was, counted from the beginning of the file', () => {
  const stack = () => run("module.x = 1; return new Error('here').stack;");
  expect(stack()).toContain('/module.js:1:22');
  keepCompiledCode();
  expect(stack()).toContain('/module.js:1:22');
});
