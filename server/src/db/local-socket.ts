import { createHash } from 'node:crypto';
import fs from 'node:fs';
import type net from 'node:net';
import os from 'node:os';
import path from 'node:path';

/** sun_path holds 104 bytes on macOS and 108 on Linux. */
const LONGEST_SOCKET_PATH = 100;

/** Address of a socket that belongs to a folder: in it, for a long path in a private folder beside other temporary files, on Windows a pipe. */
export function localAddress(folder: string, name: string): string {
  const real = fs.realpathSync(folder);
  const hash = createHash('sha256').update(real).digest('hex').slice(0, 24);
  if (process.platform === 'win32') return `\\\\.\\pipe\\shop-${hash}-${name}`;
  const inside = path.join(real, `${name}.sock`);
  return inside.length <= LONGEST_SOCKET_PATH ? inside : path.join(privateFolder(), `${hash}-${name}.sock`);
}

/** Others can write to the folder of temporary files, so that a socket directly in it could be somebody else's. */
function privateFolder(): string {
  const uid = process.getuid?.() ?? 0;
  const folder = path.join(os.tmpdir(), `shop-${uid}`);
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = fs.lstatSync(folder);
  if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o077) !== 0)
    throw new Error(`${folder} is open to others: remove it`);
  return folder;
}

/** Listens at an address of which this process is the owner; for this user only. Rejects when the address is taken. */
export async function listenLocally(server: net.Server, address: string): Promise<void> {
  // Bound within the call of listen(). A folder that another thread makes meanwhile can still be entered by this user.
  const mask = process.umask(0o077);
  const listening = new Promise<void>((resolve, reject) => server.once('error', reject).listen(address, resolve));
  process.umask(mask);
  await listening;
  server.unref();
}

/** A process that has died leaves its file behind. */
export function removeSocket(address: string): void {
  if (process.platform !== 'win32') fs.rmSync(address, { force: true });
}
