/**
 * Runs the guides (docs/guides) in order in a fresh copy of the repository, as a reader does. The info string of a code block says what it is:
 * `sh` is a script that must succeed; `sh background` keeps running until the guide ends, or until a later block starts the same command;
 * `sh manual` is not run; `<language> title=<file>` is the whole file; `diff title=<file>` replaces lines of it.
 */
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '@platform/pages/testing/nginx';
import { type Program, startProgram } from './program';
import { root } from './shop';
import { expect, test } from './test';

const guides = ['first-change', 'pages-and-data', 'server', 'testing', 'releasing'];
const documentedPorts = ['8080', '8081', '8090'];
/** Includes builds. */
const START_MS = 900_000;

test.describe.configure({ mode: 'serial' });

let copy: string;
let env: NodeJS.ProcessEnv;
const ports = new Map<string, string>();
const running = new Map<string, Program>();
/** Lines such as `version=…` of the blocks before: a reader runs all blocks in one terminal. */
let assignments = '';

test.beforeAll(async () => {
  test.setTimeout(900_000);
  copy = mkdtempSync(path.join(tmpdir(), 'shop-guides-'));
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  for (const file of files.toString().split('\0').filter(Boolean)) cpSync(path.join(root, file), path.join(copy, file));
  const git = (...args: string[]) => execFileSync('git', args, { cwd: copy });
  git('init', '--quiet', '--initial-branch=main');
  git('add', '--all');
  git('-c', 'user.name=Guide', '-c', 'user.email=guide@example.com', 'commit', '--quiet', '--message=start');
  for (const port of documentedPorts) ports.set(port, String(await freePort()));
  // Without TMPDIR: the user that runs PostgreSQL where root starts it cannot enter the folder of this run.
  const { PATH, HOME, GATE_SANDBOX, CHROME_PATH } = process.env;
  env = { PATH, HOME, GATE_SANDBOX, CHROME_PATH, PORT: ports.get('8080'), STAFF_PORT: ports.get('8081') };
});
test.afterEach(async () => {
  for (const program of running.values()) await program.end();
  running.clear();
});
test.afterAll(async () => {
  if (copy) await rm(copy, { recursive: true, force: true });
});

/** `attribute` is `background`, `manual`, `title=<file>` or empty. */
type Block = Record<'language' | 'attribute' | 'text', string>;
const blocksIn = (markdown: string) =>
  [...markdown.matchAll(/^```(?<language>\w+) ?(?<attribute>\S*)\n(?<text>[\s\S]*?)^```$/gm)].map(
    ({ groups }) => groups as unknown as Block,
  );

const withPorts = (text: string) =>
  text
    .replace(/\b(?<=localhost:)\d{4}\b/g, (port) => ports.get(port) ?? port)
    .replace(
      /^npm run dev -w \S+$/m,
      `$& -- --against http://localhost:${ports.get('8080')} --port ${ports.get('8090')}`,
    );

async function start(command: string): Promise<void> {
  await running.get(command)?.end();
  const program = startProgram('bash', ['-c', `exec ${withPorts(command)}`], { cwd: copy, env });
  running.set(command, program);
  await program.wrote(/ ready: http/, START_MS);
}

const run = (script: string) =>
  new Promise<void>((resolve, reject) => {
    const child = spawn('bash', ['-euxo', 'pipefail', '-c', withPorts(script)], {
      cwd: copy,
      env,
      // With a socket as input, bash would read its start-up files.
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(output.slice(-8000)))));
  });

/** Replaces the removed and unchanged lines of each hunk by the added and unchanged ones. Throws where they are not in the file once. */
function applyDiff(file: string, diff: string): void {
  let text = readFileSync(file, 'utf8');
  for (const hunk of diff.split(/^@@\n/m)) {
    const lines = hunk.split('\n').slice(0, -1);
    const side = (signs: string) =>
      lines.flatMap((line) => (signs.includes(line[0] ?? ' ') ? [line.slice(1)] : [])).join('\n');
    const parts = text.split(side(' -'));
    if (parts.length !== 2) throw new Error(`${file} has these lines ${parts.length - 1} times:\n${side(' -')}`);
    text = parts.join(side(' +'));
  }
  writeFileSync(file, text);
}

async function follow({ language, attribute, text }: Block): Promise<void> {
  const [, title] = /^title=(.+)$/.exec(attribute) ?? [];
  if (title) {
    const file = path.join(copy, title);
    if (language === 'diff') return applyDiff(file, text);
    mkdirSync(path.dirname(file), { recursive: true });
    return writeFileSync(file, text);
  }
  if (language !== 'sh' || attribute === 'manual') return;
  if (attribute === 'background') return start(text.trim());
  await run(assignments + text);
  assignments += (text.match(/^\w+=.*\n/gm) ?? []).join('');
}

for (const name of guides) {
  test(`every command of docs/guides/${name}.md succeeds in a fresh copy of the repository`, async () => {
    test.setTimeout(1_200_000);
    const blocks = blocksIn(readFileSync(path.join(root, `docs/guides/${name}.md`), 'utf8'));
    expect(blocks.some(({ language, attribute }) => language === 'sh' && !attribute)).toBe(true);
    for (const block of blocks) await test.step(block.text.split('\n')[0] ?? '', () => follow(block));
  });
}
