import net from 'node:net';
import { listenLocally, localAddress, removeSocket } from './local-socket';

export class FolderInUseError extends Error {}

export interface FolderLock {
  release(): Promise<void>;
}

/**
 * PGlite puts no lock on its folder, and two processes on one folder lose data. A listening socket is the lock: it ends
 * with its process however that ends, so a leftover file is told from a living owner by connecting to it.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const file = localAddress(folder, 'lock');
  const me = `${process.pid}-${Math.random()}`;
  for (let attempt = 0; attempt < 5; attempt++) {
    const owner = await ask(file);
    if (owner) {
      throw new FolderInUseError(`The data folder ${folder} is in use by process ${owner.split('-')[0]}.`);
    }
    removeSocket(file);
    const server = net.createServer((socket) => {
      socket.on('error', () => {});
      socket.end(me);
    });
    try {
      await listenLocally(server, file);
    } catch {
      continue; // another process was quicker
    }
    // Two starters may both have removed a dead socket; the file then belongs to the later one.
    if ((await ask(file)) === me) {
      return { release: () => new Promise((resolve) => server.close(() => resolve())) };
    }
    server.close();
  }
  throw new FolderInUseError(`The data folder ${folder} is being taken by another process.`);
}

function ask(file: string): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = net.connect(file);
    socket.setTimeout(2000, () => socket.destroy());
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', () => resolve(''));
    socket.on('close', () => resolve(text));
  });
}
