import { fork } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type StaticBuild, type StaticFile, staticFile } from '../rig/front';

const address = '/bench/spa/';

export async function buildSpa(folder: string): Promise<StaticBuild> {
  const entry = await compile(folder);
  const files = new Map<string, StaticFile>();
  for (const item of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!item.isFile()) continue;
    const full = path.join(item.parentPath, item.name);
    const relative = path.relative(folder, full).split(path.sep).join('/');
    files.set(address + relative, await staticFile(relative, readFileSync(full)));
  }
  return { files, document: await documentOf(entry) };
}

interface Entry {
  js: string[];
  css: string[];
}

function compile(folder: string): Promise<Entry> {
  const options = { execArgv: [], env: { ...process.env, NODE_OPTIONS: '' } };
  const child = fork(path.join(__dirname, 'compile.cjs'), [folder], options);
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the compiler ended with ${code}`)));
    child.once('message', ({ entry, error }: { entry?: Entry; error?: string }) =>
      entry ? resolve(entry) : reject(new Error(error)),
    );
  });
}

function documentOf({ js, css }: Entry): Promise<StaticFile> {
  const html = `<!doctype html>
<html lang="zh-CN">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="theme-color" content="#ffffff">
<link rel="icon" href="/icon.svg" type="image/svg+xml">
${css.map((file) => `<link rel="stylesheet" href="${address}${file}">`).join('\n')}
${js.map((file) => `<script defer src="${address}${file}"></script>`).join('\n')}
</head>
<body>
<div id="root"></div>
</body>
</html>
`;
  return staticFile('index.html', Buffer.from(html));
}
