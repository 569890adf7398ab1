import { Console } from 'node:console';
import { Writable } from 'node:stream';
import { runCli } from '@shop/backoffice/cli/run-cli';

export async function runShop(args: string[], env: NodeJS.ProcessEnv) {
  const text = { out: '', err: '' };
  const into = (stream: 'out' | 'err') =>
    new Writable({
      write(chunk, _encoding, done) {
        text[stream] += chunk;
        done();
      },
    });
  const code = await runCli(args, env, new Console(into('out'), into('err')));
  return { code, ...text };
}
