import { main } from '../main';

let output: string[] = [];
let errors: string[] = [];

/** Runs `npm run release -- …` with these options at the end of each command, and captures what it prints. */
export function commandsWith(options: () => string[]) {
  beforeEach(() => {
    jest.spyOn(console, 'log').mockImplementation((text) => void output.push(String(text)));
    jest.spyOn(console, 'error').mockImplementation((text) => void errors.push(String(text)));
  });
  afterEach(() => jest.restoreAllMocks());

  async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
    output = [];
    errors = [];
    const code = await main([...args, ...options()]);
    return { code, out: output.join('\n'), err: errors.join('\n') };
  }
  const json = async (...args: string[]) => {
    const { code, out } = await run(...args, '--json');
    return { code, result: JSON.parse(out) };
  };
  return { run, json };
}
