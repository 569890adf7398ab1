import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export function runProgram(file) {
  const script = fileURLToPath(new URL(`../${file}`, import.meta.url));
  const args = ['--import', import.meta.resolve('tsx'), script, ...process.argv.slice(2)];
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code) => process.exit(code ?? 1));
}
