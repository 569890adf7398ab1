import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type DevServer, startDevServer } from '@platform/build/dev-server';
import { composeDocument } from '@platform/pages';
import { SITE } from '@shop/shared/site';

const root = path.resolve(__dirname, '../..');

export class EditedRemotes {
  private readonly folder = mkdtempSync(path.join(tmpdir(), 'shop-edited-'));
  private readonly originals = new Map<string, string>();
  private readonly servers: DevServer[] = [];

  /** @param folders of the workspaces */
  constructor(...folders: string[]) {
    for (const name of [...folders, 'tsconfig.base.json']) {
      const filter = (source: string) => !/[\\/](dist|node_modules)$/.test(source);
      cpSync(path.join(root, name), path.join(this.folder, name), { recursive: true, filter });
    }
    symlinkSync(path.join(root, 'node_modules'), path.join(this.folder, 'node_modules'), 'junction');
    writeFileSync(this.recipe, `module.exports = require(${JSON.stringify(path.join(root, 'rspack.base.js'))});\n`);
  }

  private get recipe(): string {
    return path.join(this.folder, 'rspack.base.js');
  }

  async dev(name: string, against: string): Promise<DevServer> {
    const server = await startDevServer({
      product: { root: this.folder, recipe: this.recipe, inputs: [] },
      name,
      directory: path.join(this.folder, `mfe-${name}`),
      shell: path.join(root, 'shell'),
      ...{
        against: new URL(against),
        port: 0,
        documentOf: (map, page) => composeDocument(map, { ...page, site: SITE }).write(),
        serverRoutes: SITE.serverRoutes,
      },
      console: { log: () => {}, error: () => {} },
    });
    this.servers.push(server);
    return server;
  }

  /** Writes a file of the copies with a change to its original text. Throws if the change has no effect. */
  edit(file: string, change: (source: string) => string): void {
    const source = this.originals.get(file) ?? readFileSync(path.join(this.folder, file), 'utf8');
    this.originals.set(file, source);
    const changed = change(source);
    if (changed === source) throw new Error(`the edit of ${file} finds nothing to change`);
    writeFileSync(path.join(this.folder, file), changed);
  }

  close(): void {
    for (const server of this.servers) server.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
