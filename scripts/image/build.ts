/**
 * `node --import tsx scripts/image/build.ts <folder>`: writes the files of a container image of the shop besides its packages: two
 * programs, and the files that they read; see Containerfile.
 */
import { cpSync } from 'node:fs';
import path from 'node:path';
// Its import compiles the scripts of the documents.
import '@platform/pages';
import { consolePage } from '@shop/backoffice/staff-page.plugin';
import { bridgeScript } from '@shop/server/payments/cashier.routes';
import { compileProgram } from '../jest/compiled-program';

const root = path.resolve(__dirname, '../..');

const programs = { 'server.js': 'scripts/image/server.ts', 'shop.js': 'backoffice/api/src/cli/main.ts' };

/** Packages that load on a provider's first call or the first staff password, or never. */
const separate = [
  '@aws-sdk',
  '@zxcvbn-ts',
  'alipay-sdk',
  'stripe',
  'tencentcloud-sdk-nodejs-common',
  'wechatpay-axios-plugin',
];

/** Copied to the same relative paths, because the programs find them from their own folder. */
const files = [
  'server/seed',
  'server/src/platform/db/functions',
  'server/src/platform/db/migrations',
  'server/src/platform/db/pglite-worker.cjs',
  'server/src/platform/db/schema',
  'platform/pages/src/rendering/isolate-worker.mjs',
  'platform/pages/src/rendering/rendering-worker.mjs',
  'node_modules/.cache/platform-build/scripts',
];

async function writeImageFiles(folder: string): Promise<void> {
  // The image has no compiler, which the first use of these would start.
  consolePage();
  bridgeScript();
  for (const [name, entry] of Object.entries(programs))
    await compileProgram(path.join(root, entry), path.join(folder, name), { separate, movable: true });
  for (const file of files) cpSync(path.join(root, file), path.join(folder, file), { recursive: true });
}

const [folder = ''] = process.argv.slice(2);
if (!folder) throw new Error('Name the folder to write to.');
writeImageFiles(path.resolve(folder)).catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
