import { Console } from 'node:console';
import { Readable, Writable } from 'node:stream';
import { runCli } from '@shop/backoffice/cli/run-cli';

export async function runShop(args: string[], env: NodeJS.ProcessEnv, typed: string[] = []) {
  const text = { out: '', err: '' };
  const into = (stream: 'out' | 'err') =>
    new Writable({
      write(chunk, _encoding, done) {
        text[stream] += chunk;
        done();
      },
    });
  const input = Readable.from(typed.map((line) => `${line}\n`));
  const code = await runCli(args, env, new Console(into('out'), into('err')), input);
  return { code, ...text };
}
