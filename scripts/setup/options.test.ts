import { spawnSync } from 'node:child_process';
import path from 'node:path';

const root = path.resolve(__dirname, '..', '..');

it.each([
  ['npm start', 'scripts/start.mjs'],
  ['npm test', 'scripts/test.mjs'],
  ['npm run check', 'scripts/check.mjs'],
])(
  '%s says how to use it and does nothing else, with --help and with an option that it does not know',
  (name, file) => {
    const ask = (option: string) => spawnSync(process.execPath, [file, option], { cwd: root, encoding: 'utf8' });
    const help = ask('--help');
    expect([help.status, help.stdout.split(/[ \n](?=\[|\n)/)[0]]).toEqual([0, name]);
    expect(ask('-h').stdout).toBe(help.stdout);
    expect(ask('--nope')).toMatchObject({
      status: 2,
      stdout: '',
      stderr: `Unknown option '--nope'.\n\n${help.stdout}`,
    });
  },
);
