import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { closePort } from './close-port';

/** Sends a POST from another thread when it is told to, and tells the status or the fault. */
const client = `
  const { parentPort } = require('node:worker_threads');
  const http = require('node:http');
  parentPort.on('message', (port) => {
    const tell = (outcome) => parentPort.postMessage(outcome);
    http.request({ port, host: '127.0.0.1', method: 'POST', agent: false }, ({ statusCode }) => tell(statusCode))
      .on('error', ({ code }) => tell(code))
      .end('{}');
  });
  parentPort.postMessage('ready');
`;

let worker: Worker;
afterEach(async () => void (await worker.terminate()));

it('answers a connection that came while the event loop was busy, just before the port closed', async () => {
  const server = http.createServer((request, response) => request.resume().on('end', () => response.end()));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  worker = new Worker(client, { eval: true });
  await once(worker, 'message');
  const outcome = once(worker, 'message');
  const closing = sleep(1).then(() => closePort(server));
  worker.postMessage((server.address() as AddressInfo).port);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  expect(await outcome).toEqual([200]);
  await closing;
  expect(server.listening).toBe(false);
});
