import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { freePort } from '@platform/pages/testing/nginx';

it('npm run dev reports why no shop answers', async () => {
  const against = `http://127.0.0.1:${await freePort()}`;
  const args = ['--import', 'tsx', 'scripts/dev.ts', 'content', '--against', against, '--port', '0'];
  const options = { cwd: path.resolve(__dirname, '..'), encoding: 'utf8' } as const;
  const { status, stderr } = spawnSync(process.execPath, args, options);
  expect(status).toBe(1);
  expect(stderr).toMatch(/^No shop answers at http:.*ECONNREFUSED/m);
  expect(stderr).not.toContain('    at ');
});
