import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const compiler = path.join(__dirname, 'compile-program.cjs');

export interface CompileOptions {
  /** Packages that stay outside of it. */
  separate?: string[];
  /** Whether it finds its files from its own folder on. */
  movable?: boolean;
}

/** Writes a TypeScript program as one JavaScript file; see compile-program.cjs. */
export async function compileProgram(
  entry: string,
  output: string,
  { separate = [], movable = false }: CompileOptions = {},
): Promise<void> {
  const args = [...(movable ? ['--movable'] : []), entry, output, ...separate];
  await promisify(execFile)(process.execPath, [compiler, ...args]);
}
