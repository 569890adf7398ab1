import { Duplex } from 'node:stream';
import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads';

type Part = { chunk: Buffer };

/** The socket of a pg.Client: a message port to the thread of the embedded database, which speaks PostgreSQL's protocol. */
export class WorkerStream extends Duplex {
  private port: MessagePort | undefined;

  constructor(private readonly worker: Worker) {
    super();
  }

  connect(): this {
    const { port1, port2 } = new MessageChannel();
    this.port = port1;
    port1.on('message', (bytes: Uint8Array) => this.push(Buffer.from(bytes.buffer)));
    port1.on('close', () => this.push(null));
    this.worker.postMessage({ kind: 'client', port: port2 }, [port2]);
    process.nextTick(() => this.emit('connect'));
    return this;
  }

  setNoDelay(): this {
    return this;
  }
  setKeepAlive(): this {
    return this;
  }
  ref(): this {
    this.port?.ref();
    return this;
  }
  unref(): this {
    this.port?.unref();
    return this;
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.send(new Uint8Array(chunk));
    done();
  }

  /** The client corks the messages of one statement, so they go to the thread in one message. */
  override _writev(parts: Part[], done: () => void): void {
    this.send(new Uint8Array(Buffer.concat(parts.map((part) => part.chunk))));
    done();
  }

  override _final(done: () => void): void {
    this.port?.close();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.port?.close();
    done(error);
  }

  private send(bytes: Uint8Array<ArrayBuffer>): void {
    this.port?.postMessage(bytes, [bytes.buffer]);
  }
}
