/** Checks of one release that need no map. */
import { SHELL } from '../contract';
import { inParallel } from '../in-parallel';
import { manifestFaults, matchesIntegrity, type ReleaseManifest } from '../manifest';
import type { Store } from '../store/store';
import { type Check, checkOf, failed, passed, skipped } from './verdict';

/** Bytes, brotli. A page is the remote's entry with the files of its largest page; the shell's files load with every page. */
const BUDGET = { shell: 260_000, page: 150_000 } as const;

/** All of them. `skip` names the checks to skip, for the reason `why`. */
export async function checksOfRelease(
  store: Store,
  manifest: ReleaseManifest,
  { skip = [], why = '' }: { skip?: readonly string[]; why?: string } = {},
): Promise<Check[]> {
  return [
    ...(await checkFiles(store, manifest)),
    skip.includes('size') ? skipped('size', why) : await checkSize(store, manifest),
  ];
}

export async function checkFiles(store: Store, manifest: ReleaseManifest): Promise<Check[]> {
  const faults = manifestFaults(manifest);
  if (faults.length > 0) return [failed('manifest', faults.join('; '))];
  return [passed('manifest', 'valid'), await checkContents(store, manifest)];
}

export const isCode = (file: string): boolean => /\.(js|css)$/.test(file);

/** Whether the store has each file, or each of the `wanted` files, as it was published. */
export async function checkContents(
  store: Store,
  manifest: ReleaseManifest,
  isIncluded: (file: string) => boolean = () => true,
): Promise<Check> {
  const { name, version } = manifest;
  const files = Object.entries(manifest.files).filter(([file]) => isIncluded(file));
  const faults = await inParallel(files, async ([file, { size, integrity }]) => {
    const content = await store.readFile(name, version, file);
    if (!content) return `${file} is missing`;
    return content.length === size && matchesIntegrity(content, integrity) ? null : `${file} has another hash`;
  });
  const damaged = faults.filter((fault) => fault !== null);
  return damaged.length > 0
    ? failed('files', `${damaged.join(', ')}; publish a new version`)
    : passed('files', `${files.length} files, correct hashes`);
}

async function checkSize(store: Store, manifest: ReleaseManifest): Promise<Check> {
  const sizeOf = async (files: string[]) => {
    let sum = 0;
    for (const file of new Set(files)) {
      const compressed = await store.readFile(manifest.name, manifest.version, `${file}.br`);
      sum += compressed?.length ?? manifest.files[file]?.size ?? 0;
    }
    return sum;
  };
  const { initial, exposes, entry } = manifest;
  if (manifest.name === SHELL) {
    const bytes = await sizeOf([...initial.js, ...initial.css]);
    const detail = `${bytes} of ${BUDGET.shell} bytes (brotli) for every page`;
    return checkOf('size', bytes > BUDGET.shell ? [`${detail}: too big`] : [], detail);
  }
  let largest = { page: '', bytes: 0 };
  for (const [page, files] of Object.entries(exposes)) {
    const bytes = await sizeOf([entry, ...files.js, ...files.css]);
    if (bytes > largest.bytes) largest = { page, bytes };
  }
  const detail = `${largest.bytes} of ${BUDGET.page} bytes (brotli) for ${largest.page || 'the largest page'}`;
  return checkOf('size', largest.bytes > BUDGET.page ? [`${detail}: too big; split it`] : [], detail);
}
