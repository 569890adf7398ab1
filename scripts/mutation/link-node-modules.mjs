/**
 * Run by Stryker in its copy of the repository: makes a node_modules whose workspaces are those of the copy. A link to the whole folder
 * would lead to the workspaces of the repository, where nothing is mutated.
 */
import { existsSync, mkdirSync, readdirSync, realpathSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { workspacesIn } from '../setup/workspaces.cjs';

const [copy, repository] = [process.cwd(), path.resolve('../..')];
const own = ['@shop', '@platform'];

mkdirSync(path.join(copy, 'node_modules'));
for (const name of readdirSync(path.join(repository, 'node_modules')).filter((one) => !own.includes(one)))
  symlinkSync(path.join(repository, 'node_modules', name), path.join(copy, 'node_modules', name));
for (const scope of own) {
  mkdirSync(path.join(copy, 'node_modules', scope));
  for (const name of readdirSync(path.join(repository, 'node_modules', scope)))
    symlinkSync(
      path.join(copy, path.relative(repository, realpathSync(path.join(repository, 'node_modules', scope, name)))),
      path.join(copy, 'node_modules', scope, name),
    );
}
for (const folder of workspacesIn(repository)) {
  const packages = path.join(repository, folder, 'node_modules');
  if (existsSync(packages) && existsSync(path.join(copy, folder)))
    symlinkSync(packages, path.join(copy, folder, 'node_modules'));
}
