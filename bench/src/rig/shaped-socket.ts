/**
 * One TCP connection through a slow line, as a stream that a server accepts instead of its socket. Each sender has a congestion
 * window that grows with acknowledgements (slow start) and shares the queue of the line with all connections of the client.
 * Emulation inside the browser models neither, so it hides waterfalls.
 */
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

export const line = {
  /** Excludes queueing. */
  roundTripMs: 150,
  downBitsPerSecond: 1_600_000,
  upBitsPerSecond: 750_000,
  /** In segments (RFC 6928 says 10). */
  initialWindow: 10,
  /** The end of slow start, in segments: about the line's own capacity and a moderate queue. The line never drops a segment. */
  largestWindow: 64,
};

/** Payload of a segment; the headers follow. */
const segmentBytes = 1448;
const headerBytes = 52;
/** Unsent bytes that the sender's kernel buffers before it applies backpressure. */
const sendBufferBytes = 16 * 1024;

/** One direction of the line; every connection of the client waits in the same queue. */
export class Bottleneck {
  private freeAt = 0;

  constructor(private readonly bitsPerSecond: number) {}

  transmit(bytes: number, now: number): number {
    this.freeAt = Math.max(now, this.freeAt) + ((bytes + headerBytes) * 8_000) / this.bitsPerSecond;
    return this.freeAt;
  }
}

/** Calls back in order of time. Plain timers may swap two callbacks that are due together. */
class DelayLine {
  private last = Promise.resolve();
  private isStopped = false;

  push(at: number, callback: () => void): void {
    this.last = this.last.then(async () => {
      const left = at - performance.now();
      if (left > 0) await sleep(left);
      if (!this.isStopped) callback();
    });
  }

  stop(): void {
    this.isStopped = true;
  }
}

/** One direction of one connection: window, queue, transmission, acknowledgement. No visit waits for the end of a connection. */
class Sender {
  private waiting = Buffer.alloc(0);
  private flightBytes = 0;
  private windowBytes: number;
  private readonly arrivals = new DelayLine();
  private readonly acknowledgements = new DelayLine();
  private whenRoom: (() => void) | null = null;

  constructor(
    private readonly bottleneck: Bottleneck,
    /** Nothing is sent earlier, because the handshake takes a round trip. */
    private readonly openAt: number,
    private readonly deliver: (segment: Buffer) => void,
  ) {
    this.windowBytes = line.initialWindow * segmentBytes;
  }

  send(data: Buffer, done: () => void): void {
    this.waiting = Buffer.concat([this.waiting, data]);
    this.whenRoom = done;
    this.pump();
  }

  stop(): void {
    this.arrivals.stop();
    this.acknowledgements.stop();
    this.waiting = Buffer.alloc(0);
    this.whenRoom = null;
  }

  private pump(): void {
    const { roundTripMs, largestWindow } = line;
    while (this.waiting.length > 0 && this.flightBytes < this.windowBytes) {
      const segment = this.waiting.subarray(0, segmentBytes);
      this.waiting = this.waiting.subarray(segment.length);
      this.flightBytes += segment.length;
      const left = this.bottleneck.transmit(segment.length, Math.max(performance.now(), this.openAt));
      this.arrivals.push(left + roundTripMs / 2, () => this.deliver(segment));
      this.acknowledgements.push(left + roundTripMs, () => {
        this.flightBytes -= segment.length;
        this.windowBytes = Math.min(this.windowBytes + segment.length, largestWindow * segmentBytes);
        this.pump();
      });
    }
    if (this.waiting.length > sendBufferBytes) return;
    const done = this.whenRoom;
    this.whenRoom = null;
    done?.();
  }
}

export class ShapedSocket extends Duplex {
  private readonly down: Sender;
  private readonly up: Sender;

  constructor(
    private readonly client: Socket,
    lines: { down: Bottleneck; up: Bottleneck },
  ) {
    super({ writableHighWaterMark: sendBufferBytes });
    client.setNoDelay(true);
    const openAt = performance.now() + line.roundTripMs;
    this.down = new Sender(lines.down, openAt, (segment) => {
      if (!client.destroyed) client.write(segment);
    });
    this.up = new Sender(lines.up, openAt, (segment) => this.push(segment));
    client.on('data', (data: Buffer) => {
      client.pause();
      this.up.send(data, () => client.resume());
    });
    client.on('error', () => this.destroy());
    client.on('close', () => this.destroy());
  }

  override _read(): void {}

  override _write(data: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.down.send(data, () => done());
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.down.stop();
    this.up.stop();
    this.client.destroy();
    done(error);
  }
}
