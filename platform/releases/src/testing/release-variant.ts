/**
 * Changed copies of a real release for tests. It takes files from the store, changes and hashes them, and updates the hashes that
 * the files contain of each other, as a build would write them.
 */
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { SHELL } from '../contract';
import { integrityOf, type ReleaseManifest } from '../manifest';
import { publish } from '../publish';
import type { Store } from '../store/store';
import { writeBuild } from './fixture';

export type Change =
  | 'sound'
  | 'entry throws'
  | 'module throws'
  | 'render throws'
  /** Requires newer singletons than the shell offers, which its manifest does not declare. */
  | 'newer singleton'
  /** Works, but changes objects that it shares with the shell and other remotes. */
  | 'spoils the tab';

export const hidingStyle = '\na,button{visibility:hidden!important}';
/** The functions with which a careless shell would read the map never resolve. */
const spoilingCode = `
  window.fetch = () => new Promise(() => {});
  XMLHttpRequest.prototype.send = () => {};
  Response.prototype.json = () => Promise.reject(new TypeError('spoilt'));
`;

const entryCode: Partial<Record<Change, string>> = {
  'entry throws': `throw new Error('the entry throws');`,
  'spoils the tab': spoilingCode,
};

const throwPage = `throw new Error('the page throws');`;

export interface ReleaseVariant {
  manifest: ReleaseManifest;
  files: Map<string, Buffer>;
}

const made = new Map<string, Promise<ReleaseVariant>>();

/** A changed copy of `manifest`, in memory. Variants of the same change differ in version by their label. */
export function makeVariant(
  store: Store,
  manifest: ReleaseManifest,
  change: Change,
  label: string = change,
): Promise<ReleaseVariant> {
  const key = `${manifest.name}@${manifest.version} ${change} ${label}`;
  const variant = made.get(key) ?? changedCopy(store, manifest, change, label);
  made.set(key, variant);
  return variant;
}

async function changedCopy(
  store: Store,
  manifest: ReleaseManifest,
  change: Change,
  label: string,
): Promise<ReleaseVariant> {
  const digest = createHash('sha256').update(`${manifest.version} ${change} ${label}`).digest('hex').slice(0, 8);
  const version = `${manifest.version.split('-')[0]}-${digest}`;
  const copy: ReleaseManifest = structuredClone({ ...manifest, version });
  const files = new Map<string, Buffer>();
  for (const file of Object.keys(manifest.files)) {
    const content = await store.readFile(manifest.name, manifest.version, file);
    if (!content) throw new Error(`${file} of ${manifest.name}@${manifest.version} is not in the store`);
    files.set(file, content);
  }

  const rename = (text: string) =>
    text
      .replaceAll(identifier(manifest.name, manifest.version), identifier(manifest.name, version))
      .replaceAll(manifest.version, version);
  let changed = false;
  const pages = new Set(Object.values(manifest.exposes).flatMap(({ js }) => js));
  const hashes = new Map<string, string>();
  const take = (file: string, content: Buffer) => {
    files.set(file, content);
    const integrity = integrityOf(content);
    hashes.set(manifest.files[file]?.integrity ?? '', integrity);
    copy.files[file] = { size: content.length, integrity };
  };
  for (const [file, content] of files) {
    if (change !== 'spoils the tab' || !file.endsWith('.css')) continue;
    take(file, Buffer.concat([content, Buffer.from(hidingStyle)]));
    changed = true;
  }
  // Chunks first: the entry contains their hashes.
  for (const file of [...files.keys()].sort((one) => (one === manifest.entry ? 1 : -1))) {
    if (!/\.(js|json)$/.test(file)) continue;
    let text = rename(files.get(file)?.toString() ?? '');
    for (const [before, after] of hashes) text = text.replaceAll(before, after);
    const same = text;
    if (file === manifest.entry) text = changeEntry(text, change, manifest.name === SHELL);
    else if (pages.has(file)) text = changePage(text, change, manifest.name, version);
    changed ||= text !== same;
    take(file, Buffer.from(text));
  }

  if (!changed) throw new Error(`${manifest.name}@${manifest.version} has nothing that could be changed: ${change}`);
  return { manifest: copy, files };
}

export async function publishVariant(
  store: Store,
  manifest: ReleaseManifest,
  change: Change,
  label: string = change,
): Promise<ReleaseManifest> {
  const variant = await makeVariant(store, manifest, change, label);
  const dist = await writeBuild(variant);
  await publish(store, { dist, by: 'a test' }).finally(() => rm(dist, { recursive: true }));
  return variant.manifest;
}

function identifier(name: string, version: string): string {
  return `mfe_${name}_${version.replace(/[^a-zA-Z0-9]/g, '_')}`;
}

function changeEntry(text: string, change: Change, isShell: boolean): string {
  const code = entryCode[change];
  if (code) return `${code}${text}`;
  if (change === 'newer singleton') return replaced(text, /requiredVersion:"\^\d+\./g, 'requiredVersion:"^99.');
  if (isShell && change === 'render throws')
    return replaced(text, /"shell-skip"/, `(()=>{throw new Error('the shell throws')})()`);
  if (isShell && change === 'sound')
    return `document.documentElement.dataset.servedBy=document.currentScript.src;${text}`;
  return text;
}

/** A page module exports its component as a getter, or is the function itself. */
function changePage(text: string, change: Change, name: string, version: string): string {
  const getter = /Component:\(\)=>(\w+)/g;
  const own = /Component:function\(\)\{/g;
  if (!getter.test(text) && !own.test(text)) return text;
  switch (change) {
    case 'spoils the tab':
    case 'sound': {
      const mark = `document.documentElement.dataset.${name}=${JSON.stringify(version)}`;
      return text.replace(getter, `Component:()=>(${mark},$1)`).replace(own, `Component:function(){${mark};`);
    }
    case 'render throws':
      return text
        .replace(getter, `Component:()=>function(){${throwPage}}`)
        .replace(own, `Component:function(){${throwPage}`);
    case 'module throws':
      return replaced(text, /\{(?=\w+\.r\(\w+\)[;,])/g, `{${throwPage}`);
    default:
      return text;
  }
}

function replaced(text: string, pattern: RegExp, by: string): string {
  const after = text.replace(pattern, by);
  if (after === text) throw new Error(`the build has changed: ${pattern} is not in it`);
  return after;
}
