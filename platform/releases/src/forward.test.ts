import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { forward } from './forward';

const listen = async (listener: http.RequestListener) => {
  const server = http.createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => new Promise((resolve) => server.close(resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
};

it('forward sends the caller’s address, so that the running site does not take a page for a local process', async () => {
  let received: http.IncomingHttpHeaders = {};
  const running = await listen((request, response) => {
    received = request.headers;
    response.end();
  });
  const front = await listen((request, response) =>
    forward(request, response, new URL(running.url), () => response.end()),
  );
  await fetch(`${front.url}/metrics`, { headers: { 'x-forwarded-for': '', forwarded: 'for=127.0.0.1' } });
  expect(received['x-forwarded-for']).toBe('127.0.0.1');
  expect(received).not.toHaveProperty('forwarded');
  await Promise.all([front.close(), running.close()]);
});
