/** Builds the variants that are not the shop itself, into a folder that is thrown away. */
import { type ChildProcess, fork } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type StaticFile, staticFile } from '../rig/front';

export interface BuiltVariant {
  /** Address to file. */
  files: Map<string, StaticFile>;
  document: StaticFile;
}

interface EntryFiles {
  js: string[];
  css: string[];
}

const recipes = require('./recipes.cjs') as {
  contracts(): Array<{ contract: { name: string; routes: Array<{ page: string }> } }>;
  addressOf(name: string): string;
  sharedNames: string[];
  fileNameOf(name: string): string;
};

export async function buildSpa(folder: string): Promise<BuiltVariant> {
  return withCompiler(async (compile) => {
    const entry = await compile('spa', folder);
    const address = recipes.addressOf('spa');
    return { files: await filesIn(folder, address), document: await documentOf(address, entry) };
  });
}

export async function buildDefaults(folder: string): Promise<BuiltVariant> {
  return withCompiler(async (compile) => {
    const shell = path.join(folder, 'shell');
    const entry = await compile('defaultsHost', shell);
    const address = recipes.addressOf('shell');
    const files = await filesIn(shell, address);
    for (const { contract } of recipes.contracts()) {
      const remote = path.join(folder, contract.name);
      await compile('defaultsRemote', contract.name, remote);
      for (const [at, file] of await filesIn(remote, recipes.addressOf(contract.name))) files.set(at, file);
    }
    return { files, document: await documentOf(address, entry) };
  });
}

/** Shell, remotes and what they share as native modules; an import map in the document gives their names addresses. */
export async function buildImportMap(folder: string): Promise<BuiltVariant> {
  return withCompiler(async (compile) => {
    const files = new Map<string, StaticFile>();
    const build = async (name: string, recipe: string, ...args: string[]): Promise<EntryFiles> => {
      const output = path.join(folder, name);
      const entry = await compile(recipe, ...args, output);
      for (const [at, file] of await filesIn(output, recipes.addressOf(`map-${name}`))) files.set(at, file);
      return entry;
    };
    const first = await build('platform', 'importMapPlatform');
    const entry = await build('shell', 'importMapHost');
    const platform = recipes.addressOf('map-platform');
    const imports: Record<string, string> = Object.fromEntries(
      recipes.sharedNames.map((name) => [name, `${platform}${recipes.fileNameOf(name)}.js`]),
    );
    const styles: Record<string, string> = {};
    for (const { contract } of recipes.contracts()) {
      await build(contract.name, 'importMapRemote', contract.name);
      const base = recipes.addressOf(`map-${contract.name}`);
      for (const { page } of contract.routes) {
        const id = page.replace('./', '');
        imports[`${contract.name}/${id}`] = `${base}${id}.js`;
        if (files.has(`${base}${id}.css`)) styles[`${contract.name}/${id}`] = `${base}${id}.css`;
      }
    }
    const shell = recipes.addressOf('map-shell');
    // Templates list what the entry imports at once; without it each layer of imports would be found after the one before.
    const head = `<script type="importmap">${JSON.stringify({ imports })}</script>
<script type="application/json" id="bench-styles">${JSON.stringify(styles)}</script>
${first.css.map((file) => `<link rel="stylesheet" href="${platform}${file}">`).join('\n')}
${first.js.map((file) => `<link rel="modulepreload" href="${platform}${file}">`).join('\n')}`;
    return { files, document: await documentOf(shell, entry, head, 'type="module"') };
  });
}

type Compile = (recipe: string, ...args: string[]) => Promise<EntryFiles>;

async function withCompiler<T>(work: (compile: Compile) => Promise<T>): Promise<T> {
  const child = fork(path.join(__dirname, 'compile.cjs'), { execArgv: [], env: { ...process.env, NODE_OPTIONS: '' } });
  let nextId = 0;
  try {
    return await work((recipe, ...args) => ask(child, ++nextId, recipe, args));
  } finally {
    child.removeAllListeners('exit');
    child.disconnect();
  }
}

function ask(child: ChildProcess, id: number, recipe: string, args: string[]): Promise<EntryFiles> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`the compiler ended with ${code}`));
    child.once('exit', onExit);
    child.on('message', function answer(message: { id: number; error?: string; entry?: EntryFiles }) {
      if (message.id !== id) return;
      child.off('message', answer);
      child.off('exit', onExit);
      if (message.entry) resolve(message.entry);
      else reject(new Error(`${recipe} ${args[0]}: ${message.error}`));
    });
    child.send({ id, recipe, args });
  });
}

async function filesIn(folder: string, address: string): Promise<Map<string, StaticFile>> {
  const files = new Map<string, StaticFile>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const full = path.join(entry.parentPath, entry.name);
    const relative = path.relative(folder, full).split(path.sep).join('/');
    files.set(address + relative, await staticFile(relative, readFileSync(full)));
  }
  return files;
}

/** The page as a bundler's template writes it: styles and scripts, and nothing that knows of the route. */
function documentOf(address: string, { js, css }: EntryFiles, head = '', script = 'defer'): Promise<StaticFile> {
  const html = `<!doctype html>
<html lang="zh-CN">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="theme-color" content="#ffffff">
<link rel="icon" href="/icon.svg" type="image/svg+xml">
${head}
${css.map((file) => `<link rel="stylesheet" href="${address}${file}">`).join('\n')}
${js.map((file) => `<script ${script} src="${address}${file}"></script>`).join('\n')}
</head>
<body>
<div id="root"></div>
</body>
</html>
`;
  return staticFile('index.html', Buffer.from(html));
}
