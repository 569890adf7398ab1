import fs from 'node:fs/promises';
import path from 'node:path';
import { randomNumber } from '../platform/crypto/tokens';
import type { PictureStore } from './providers';

const uploadsFolder = (dataDir: string) => path.join(dataDir, 'uploads');

export class LocalPictures implements PictureStore {
  private readonly root: string;
  private readonly parts: string;
  constructor(dataDir: string) {
    this.root = uploadsFolder(dataDir);
    this.parts = `${this.root}-part`;
  }
  async put(name: string, bytes: Buffer): Promise<void> {
    const file = path.join(this.root, name);
    await fs.mkdir(path.dirname(file), { recursive: true });
    // The file appears complete or not at all, even if two processes write the same image. It is written outside the folder,
    // because a backup reads that.
    const part = path.join(this.parts, randomNumber());
    await fs.mkdir(this.parts, { recursive: true });
    try {
      await fs.writeFile(part, bytes);
      await fs.rename(part, file);
    } catch (error) {
      // On a full disk a part of the file may exist.
      await fs.rm(part, { force: true }).catch(() => {});
      throw error;
    }
  }
  async get(name: string): Promise<Buffer | undefined> {
    return fs.readFile(path.join(this.root, name)).catch((error) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
  }
  async remove(name: string): Promise<void> {
    await fs.rm(path.join(this.root, name), { force: true });
  }
  async removeLeftovers(before: Date): Promise<void> {
    const names = await fs.readdir(this.parts).catch(() => []);
    for (const file of names.map((name) => path.join(this.parts, name))) {
      // Another process may have completed or removed it.
      const stats = await fs.stat(file).catch(() => undefined);
      if (stats && stats.mtime < before) await fs.rm(file, { force: true });
    }
  }
}
