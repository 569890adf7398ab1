import { createHash } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';

export class FolderInUseError extends Error {}

export interface FolderLock {
  release(): Promise<void>;
}

/** sun_path holds 104 bytes on macOS and 108 on Linux. */
const LONGEST_SOCKET_PATH = 100;

/**
 * PGlite does not lock its folder, and two processes on one folder lose data. A listening socket is the lock: it ends with its process
 * however that ends, so connecting to it distinguishes a leftover file from a living owner. It does not read the data that it receives.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const address = lockAddress(folder);
  const me = `${process.pid}-${Math.random()}`;
  for (let attempt = 0; attempt < 5; attempt++) {
    const owner = await ask(address);
    if (owner) {
      throw new FolderInUseError(`The data folder ${folder} is in use by process ${owner.split('-')[0]}.`);
    }
    // A process that has died leaves its file behind.
    if (process.platform !== 'win32') fs.rmSync(address, { force: true });
    const server = net.createServer((socket) => {
      socket.on('error', () => {});
      socket.end(me, () => socket.destroy());
    });
    try {
      await listen(server, address);
    } catch {
      continue; // Another process has created the socket first.
    }
    // Two starting processes may both have removed a dead socket; the file then belongs to the later one.
    if ((await ask(address)) === me) {
      return { release: () => new Promise((resolve) => server.close(() => resolve())) };
    }
    server.close();
  }
  throw new FolderInUseError(`The data folder ${folder} is being taken by another process.`);
}

function ask(address: string): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = net.connect(address);
    socket.setTimeout(2000, () => socket.destroy());
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', () => resolve(''));
    socket.on('close', () => resolve(text));
  });
}

/** The socket is in the folder; on Windows it is a pipe. */
function lockAddress(folder: string): string {
  const real = fs.realpathSync(folder);
  if (process.platform === 'win32')
    return `\\\\.\\pipe\\shop-${createHash('sha256').update(real).digest('hex').slice(0, 24)}-lock`;
  const address = path.join(real, 'lock.sock');
  if (address.length > LONGEST_SOCKET_PATH) throw new Error(`its path is over ${LONGEST_SOCKET_PATH} letters long`);
  return address;
}

/** Listens for this user only. Rejects when the address is in use. */
async function listen(server: net.Server, address: string): Promise<void> {
  // The socket is bound within the call of listen(). A folder that another thread creates meanwhile is still accessible to this user.
  const mask = process.umask(0o077);
  const listening = new Promise<void>((resolve, reject) => server.once('error', reject).listen(address, resolve));
  process.umask(mask);
  await listening;
  server.unref();
}
