import { createHash } from 'node:crypto';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';

export class FolderInUseError extends Error {}

/** sun_path holds 104 bytes on macOS and 108 on Linux. */
const LONGEST_SOCKET_PATH = 100;

/**
 * PGlite does not lock its folder, and two processes on one folder lose data. A listening socket is the lock: it ends with its process
 * however that ends, so connecting to it distinguishes a leftover file from a living owner. It does not read the data that it receives.
 * Returns the function that unlocks the folder.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
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
    if ((await ask(address)) === me) return () => new Promise((resolve) => server.close(() => resolve()));
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

/** The socket is in the folder; for a long path it is in a private folder for temporary files; on Windows it is a pipe. */
function lockAddress(folder: string): string {
  const real = fs.realpathSync(folder);
  const hash = createHash('sha256').update(real).digest('hex').slice(0, 24);
  if (process.platform === 'win32') return `\\\\.\\pipe\\shop-${hash}-lock`;
  const inside = path.join(real, 'lock.sock');
  return inside.length <= LONGEST_SOCKET_PATH ? inside : path.join(privateFolder(), `${hash}-lock.sock`);
}

/** Other users can write to the folder for temporary files, so a socket directly in it could belong to another user. */
function privateFolder(): string {
  const uid = process.getuid?.() ?? 0;
  const folder = path.join(os.tmpdir(), `shop-${uid}`);
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stats = fs.lstatSync(folder);
  if (!stats.isDirectory() || stats.uid !== uid || (stats.mode & 0o077) !== 0)
    throw new Error(`${folder} is open to others: remove it`);
  return folder;
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
