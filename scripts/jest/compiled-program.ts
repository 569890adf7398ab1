import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const compiler = path.join(__dirname, 'compile-program.cjs');

/** Writes a TypeScript program as one JavaScript file; see compile-program.cjs. The packages in `separate` stay outside of it. */
export async function compileProgram(entry: string, output: string, separate: string[] = []): Promise<void> {
  await promisify(execFile)(process.execPath, [compiler, entry, output, ...separate]);
}
