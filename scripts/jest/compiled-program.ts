import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const compiler = path.join(__dirname, 'compile-program.cjs');

export interface CompileOptions {
  /** Packages that stay outside the file. */
  separate?: string[];
  /** Whether it finds its files from its own folder. */
  movable?: boolean;
}

/** Compiles a TypeScript program to one JavaScript file; see compile-program.cjs. */
export async function compileProgram(
  entry: string,
  output: string,
  { separate = [], movable = false }: CompileOptions = {},
): Promise<void> {
  const args = [...(movable ? ['--movable'] : []), entry, output, ...separate];
  await promisify(execFile)(process.execPath, [compiler, ...args]);
}
