import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const compiler = path.join(__dirname, 'compile-program.cjs');

/** Compiles a TypeScript program to one JavaScript file; see compile-program.cjs. */
export async function compileProgram(
  entry: string,
  output: string,
  { separate = [], movable = false }: { separate?: string[]; movable?: boolean } = {},
): Promise<void> {
  const args = [...(movable ? ['--movable'] : []), entry, output, ...separate];
  await promisify(execFile)(process.execPath, [compiler, ...args]);
}
