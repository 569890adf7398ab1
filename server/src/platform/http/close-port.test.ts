import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import { closePort } from './close-port';

const client = `
  const { parentPort, workerData: connected } = require('node:worker_threads');
  const http = require('node:http');
  parentPort.on('message', (port) => {
    const tell = (outcome) => parentPort.postMessage(outcome);
    http.request({ port, host: '127.0.0.1', method: 'POST', agent: false }, ({ statusCode }) => tell(statusCode))
      .on('error', ({ code }) => tell(code))
      .on('socket', (socket) => socket.on('connect', () => {
        Atomics.store(connected, 0, 1);
        Atomics.notify(connected, 0);
      }))
      .end('{}');
  });
  parentPort.postMessage('ready');
`;

let worker: Worker;
afterEach(async () => void (await worker.terminate()));

it('closing the port answers a connection that arrived just before, while the event loop was busy', async () => {
  const server = http.createServer((request, response) => request.resume().on('end', () => response.end()));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const connected = new Int32Array(new SharedArrayBuffer(4));
  worker = new Worker(client, { eval: true, workerData: connected });
  await once(worker, 'message');
  const outcome = once(worker, 'message');
  // A timer runs before the event loop polls for connections.
  const closing = new Promise<void>((resolve) => setTimeout(() => resolve(closePort(server))));
  worker.postMessage((server.address() as AddressInfo).port);
  Atomics.wait(connected, 0, 0, 55_000);
  expect(await outcome).toEqual([200]);
  await closing;
  expect(server.listening).toBe(false);
});
