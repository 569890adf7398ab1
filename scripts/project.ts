import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { workspaceOf } from '@platform/releases';

const tools = path.resolve(__dirname, '..');

interface Project {
  /** Absolute. */
  root: string;
  /** Folder of each release name, from the root. */
  folders: Readonly<Record<string, string>>;
  isCheckout: boolean;
}

const names = ['shell', 'catalog', 'account', 'orders', 'content'];
const checkout: Project = {
  root: tools,
  folders: Object.fromEntries(names.map((name) => [name, workspaceOf(name)])),
  isCheckout: true,
};

/** Empty without a remote: commands such as rollback need none. */
function remoteAlone(root: string): Project {
  const file = path.join(root, 'remote.json');
  const remote = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { name: string }) : null;
  return { root, folders: remote ? { [remote.name]: '.' } : {}, isCheckout: false };
}

const { name: packageName } = JSON.parse(readFileSync(path.join(tools, 'package.json'), 'utf8')) as { name: string };

export const project: Project = packageName === '@shop/tools' ? remoteAlone(process.cwd()) : checkout;

/** Accepts 'catalog' and 'mfe-catalog'. Throws for an unknown name. */
export function releaseName(folderOrName: string): string {
  requireRemote();
  const name = Object.keys(project.folders).find(
    (key) => key === folderOrName || project.folders[key] === folderOrName,
  );
  if (!name) throw new Error(`unknown name "${folderOrName}"; known: ${Object.keys(project.folders).join(', ')}`);
  return name;
}

/** Absolute. */
export const directoryOf = (name: string): string =>
  path.join(project.root, project.folders[name] ?? (project.isCheckout ? workspaceOf(name) : '.'));

/** The names whose folders exist here; a squad's checkout may contain only its own. Throws if there is no remote. */
export function presentNames(): string[] {
  requireRemote();
  return Object.keys(project.folders).filter((name) => existsSync(path.join(directoryOf(name), 'package.json')));
}

function requireRemote(): void {
  if (Object.keys(project.folders).length === 0)
    throw new Error(`${project.root} has no remote.json: run this in the folder of a remote`);
}
