import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import { type Static, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import { listenLocally, localAddress, removeSocket } from '../db/local-socket';
import { type CommandRequest, failed, type Outcome } from './commands';
import { StaffError } from './staff/common';

/** Several may run, so that a refund need not wait for a backup; not many, so that they leave the database to shoppers. */
const MOST_RUNNING = 4;
const MOST_CONNECTIONS = 16;
/** For a request to arrive, and for the shop to take it. */
const TAKE_MS = 10_000;
/** A file to import stands in the request. */
const MOST_BYTES = 32 * 1024 * 1024;

const RequestSchema = Type.Object({
  args: Type.Array(Type.String()),
  cwd: Type.String(),
  by: Type.String(),
  files: Type.Record(Type.String(), Type.String()),
});
const TakenSchema = Type.Object({ taken: Type.Literal(true) });
const OutcomeSchema = Type.Object({ code: Type.Integer(), out: Type.String(), err: Type.String() });

export interface CommandChannel {
  /** Takes no more commands and waits for those that run. */
  close(): Promise<void>;
}

/**
 * Takes staff's commands for the process that owns the embedded database in `folder`: a socket for this user only. The request is a
 * line of JSON; the answer is a line that it was taken, and a line with the outcome. A command goes on when its caller is gone.
 */
export async function openCommandChannel(
  folder: string,
  run: (request: CommandRequest) => Promise<Outcome>,
): Promise<CommandChannel> {
  const running = new Set<Promise<unknown>>();
  const arriving = new Set<net.Socket>();
  const server = net.createServer(async (socket) => {
    arriving.add(socket);
    socket.on('error', () => {}).setTimeout(TAKE_MS, () => socket.destroy());
    const request = await new Lines(socket).next(RequestSchema);
    arriving.delete(socket);
    if (!request) return void socket.destroy();
    socket.setTimeout(0);
    const send = (message: object) => socket.write(`${JSON.stringify(message)}\n`);
    if (running.size >= MOST_RUNNING) {
      send(failed(new StaffError(`The shop runs ${MOST_RUNNING} commands already: try again later.`)));
    } else {
      send({ taken: true });
      const work = run(request).catch((error) => failed(error));
      running.add(work);
      send(await work);
      running.delete(work);
    }
    socket.destroySoon();
  });
  server.maxConnections = MOST_CONNECTIONS;
  const address = localAddress(folder, 'commands');
  removeSocket(address);
  await listenLocally(server, address);
  return {
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of arriving) socket.destroy();
      await Promise.all([...running, closed]);
    },
  };
}

/** Has the shop that owns `folder` run a command; undefined when none is there. */
export async function runInShop(folder: string, request: CommandRequest): Promise<Outcome | undefined> {
  if (!fs.existsSync(folder)) return undefined;
  const line = `${JSON.stringify(request)}\n`;
  if (Buffer.byteLength(line) > MOST_BYTES)
    throw new StaffError(`The shop takes up to ${MOST_BYTES / 1024 / 1024} MB at once: divide the file.`);
  const socket = await connect(localAddress(folder, 'commands'));
  if (!socket) return undefined;
  try {
    socket.on('error', () => {}).setTimeout(TAKE_MS, () => socket.destroy());
    socket.write(line);
    const lines = new Lines(socket);
    const first = await lines.next(Type.Union([TakenSchema, OutcomeSchema]));
    if (!first) throw new StaffError('The shop does not answer: whether it runs the command is unknown.');
    if (!('taken' in first)) return first;
    socket.setTimeout(0);
    const outcome = await lines.next(OutcomeSchema);
    if (outcome) return outcome;
    throw new StaffError('The shop ended before the command did: look at what it has done, then run it again.');
  } finally {
    socket.destroy();
  }
}

/** undefined when nobody listens. */
async function connect(address: string): Promise<net.Socket | undefined> {
  const socket = net.connect(address);
  try {
    await once(socket, 'connect');
    return socket;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return undefined;
    throw new StaffError(`The shop cannot be reached through ${address} (${code}).`);
  }
}

/** Lines of JSON from the other end. */
class Lines {
  private readonly chunks: AsyncIterator<Buffer>;
  private rest: Buffer = Buffer.alloc(0);
  constructor(socket: net.Socket) {
    this.chunks = socket[Symbol.asyncIterator]();
  }

  /** undefined when the other end is gone, or sends something else. */
  async next<T extends TSchema>(schema: T): Promise<Static<T> | undefined> {
    const parts: Buffer[] = [this.rest];
    let bytes = this.rest.length;
    let end = this.rest.indexOf('\n');
    while (end < 0 && bytes <= MOST_BYTES) {
      const { value, done } = await this.chunks.next().catch(() => ({ value: undefined, done: true }));
      if (done || !value) return undefined;
      parts.push(value);
      const at = value.indexOf('\n');
      if (at >= 0) end = bytes + at;
      bytes += value.length;
    }
    if (end < 0) return undefined;
    const all = Buffer.concat(parts);
    this.rest = all.subarray(end + 1);
    try {
      const message: unknown = JSON.parse(all.subarray(0, end).toString('utf8'));
      return Value.Check(schema, message) ? message : undefined;
    } catch {
      return undefined;
    }
  }
}
