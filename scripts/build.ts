/** Builds the workspaces of this repository or, if these scripts are an installed package, the remote in the working folder. */
import path from 'node:path';
import { type BuildResult, buildRelease, Compiler, type Product } from '@platform/build/build-release';
import { directoryOf, presentNames, project, releaseName } from './project';

export const product: Product = {
  root: project.root,
  // The recipe is beside these scripts, because an installed package contains it.
  recipe: path.resolve(__dirname, '..', 'rspack.base.js'),
  // Outside this repository, the lockfile in the remote's own folder names the platform's packages.
  inputs: project.isCheckout
    ? [
        'shared',
        'platform/host/src',
        'platform/releases/src/contract',
        'server/src/generated/calls.json',
        'package-lock.json',
      ]
    : [],
};

export async function buildWorkspaces(names: readonly string[] = presentNames()): Promise<BuildResult[]> {
  await requireLockedPackages();
  const results: BuildResult[] = [];
  const compiler = new Compiler(product);
  try {
    for (const nameOrFolder of names) {
      const name = releaseName(nameOrFolder);
      results.push(await buildRelease(compiler, { name, directory: directoryOf(name) }));
    }
  } finally {
    compiler.close();
  }
  return results;
}

/** Throws if other versions than the lockfile's are installed: they would give another release of the same source. */
async function requireLockedPackages(): Promise<void> {
  const { notAsLocked } = await import('./setup/install.mjs');
  const [first, ...others] = notAsLocked(project.root);
  if (!first) return;
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  throw new Error(`node_modules differs from package-lock.json (${first}${more}). Run: npm ci`);
}
