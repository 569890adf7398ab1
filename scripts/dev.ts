/**
 * `npm run dev -w mfe-catalog [-- --against http://localhost:8080] [--port 8090]`: serves the whole shop with one locally built
 * workspace, whose edits appear in the open page; everything else comes from the shop at --against. Without --against it uses the
 * shop that runs on this data folder. The CSP is as strict as in production.
 * NODE_EXTRA_CA_CERTS=<file> makes it trust a shop whose certificate no public authority signed.
 */
import path from 'node:path';
import { startDevServer } from '@platform/build/dev-server';
import { composeDocument } from '@platform/pages';
import { SITE } from '@shop/shared/site';
import { product } from './build';
import { directoryOf, presentNames, project, releaseName } from './project';
import { runningShop } from './release/service';
import { readOptions } from './setup/options.mjs';

const usage = 'npm run dev -w mfe-catalog [-- --against https://shop.example] [--port 8090]';
const { values, positionals } = readOptions(usage, {
  allowPositionals: true,
  options: { against: { type: 'string' }, port: { type: 'string' } },
});

const port = Number(values.port ?? 8090);
const ADVICE = 'Start one with "npm start", or name another with --against.';

async function main(): Promise<void> {
  const nameOrFolder = positionals[0] ?? (project.isCheckout ? undefined : presentNames()[0]);
  if (!nameOrFolder) return console.log(usage);
  const name = releaseName(nameOrFolder);
  const against = new URL(await reachableShop(values.against));
  const dev = await startDevServer({
    product,
    name,
    directory: directoryOf(name),
    against,
    port,
    console,
    // An installed package contains the shell beside these scripts.
    shell: project.isCheckout ? directoryOf('shell') : path.resolve(__dirname, '..', 'dev-shell'),
    documentOf: (map, page) => composeDocument(map, { ...page, site: SITE }).write(),
    serverRoutes: SITE.serverRoutes,
  }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRINUSE' ? new Error(`Port ${port} is in use; choose another with --port.`) : error;
  });
  console.log(`Dev ready: ${dev.origin} (${name} from this machine, all else from ${against.origin})`);
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.on(signal, () => {
      dev.close();
      process.exit(0);
    });
}

async function reachableShop(chosen: string | undefined): Promise<string> {
  const address = chosen ?? runningShop(process.env) ?? `http://localhost:${process.env.PORT || 8080}`;
  const answer = await fetch(new URL('/healthz', address)).catch(({ cause = null, message }: Error) => {
    throw new Error(`No shop answers at ${address} (${cause instanceof Error ? cause.message : message}). ${ADVICE}`);
  });
  if (!answer.ok) throw new Error(`No shop answers at ${address} (/healthz answered ${answer.status}). ${ADVICE}`);
  return address;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
