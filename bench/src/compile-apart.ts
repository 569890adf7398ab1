import { fork } from 'node:child_process';

/** Runs a program that compiles into `folder` and sends {entry} or {error}, in a separate process (scripts/compile.cjs says why). */
export function compileApart<Entry>(program: string, folder: string): Promise<Entry> {
  const child = fork(program, [folder], { execArgv: [], env: { ...process.env, NODE_OPTIONS: '' } });
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the compiler ended with ${code}`)));
    child.once('message', ({ entry, error }: { entry?: Entry; error?: string }) =>
      entry ? resolve(entry) : reject(new Error(error)),
    );
  });
}
