/** What the shell's first script consists of: the bytes of each package, by what the script weighs without it. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { decode } from '@jridgewell/sourcemap-codec';
import { Compiler } from '@platform/build/build-release';
import { root } from './report';

export interface ScriptPart {
  name: string;
  /** Minimised. */
  characters: number;
  /** Bytes that the compressed script loses without it. */
  compressed: number;
}

export async function shellParts(compressed: (content: Buffer) => number): Promise<ScriptPart[]> {
  const output = mkdtempSync(path.join(os.tmpdir(), 'shop-bench-'));
  const compiler = new Compiler({ root, recipe: path.join(root, 'rspack.base.js'), inputs: [] });
  try {
    const { entry } = await compiler.compile('shell', path.join(root, 'shell'), 'local', output, { mapped: true });
    const read = (file = '') => readFileSync(path.join(output, file), 'utf8');
    // The script is named anew after it was compiled, its map is not.
    const map = readdirSync(output).find((file) => /^main\..*\.js\.map$/.test(file));
    const pieces = piecesOf(read(entry.js.at(-1)), JSON.parse(read(map)));
    const size = (without?: string) => {
      const rest = pieces.filter(({ owner }) => owner !== without).map(({ text }) => text);
      return compressed(Buffer.from(rest.join('')));
    };
    const all = size();
    const owners = [...new Set(pieces.map(({ owner }) => owner))];
    return owners
      .map((name) => {
        const own = pieces.filter(({ owner }) => owner === name);
        const characters = own.reduce((sum, { text }) => sum + text.length, 0);
        return { name, characters, compressed: all - size(name) };
      })
      .sort((left, right) => right.compressed - left.compressed);
  } finally {
    compiler.close();
    rmSync(output, { recursive: true, force: true });
  }
}

interface Piece {
  owner: string;
  text: string;
}

/** The script cut where the source changes. */
function piecesOf(script: string, { mappings, sources }: { mappings: string; sources: string[] }): Piece[] {
  const segmentsOf = decode(mappings);
  const owners = sources.map(ownerOf);
  return script.split('\n').flatMap((line, row) => {
    const segments = segmentsOf[row] ?? [];
    const first = { owner: bundlersOwn, text: line.slice(0, segments[0]?.[0]) };
    const rest = segments.map(([start, source], at) => ({
      owner: (source !== undefined && owners[source]) || bundlersOwn,
      text: line.slice(start, segments[at + 1]?.[0]),
    }));
    return [first, ...rest];
  });
}

const bundlersOwn = "the bundler's runtime, tables of chunks and hashes";

/** The package, or the folder of this repository. */
function ownerOf(source: string): string {
  const packageName = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1];
  if (packageName) return packageName;
  const own = path.relative(root, source);
  return path.isAbsolute(source) && !own.startsWith('..') ? (own.split('/src/')[0] ?? own) : bundlersOwn;
}
