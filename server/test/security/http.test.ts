import net from 'node:net';
import { buildApp } from '../../src/app';
import { onEveryDatabase } from '../support/test-app';

onEveryDatabase('malformed HTTP', (testApp) => {
  it('malformed HTTP gets a response with the usual security headers', async () => {
    const bad = await testApp().get('/api/front/payment/status/%E0%A4%A');
    expect(bad).toMatchObject({ status: 400, code: 40001, message: expect.any(String) });
    expect(bad.headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' });
  });

  it('a client that is too slow or sends no HTTP is disconnected, while others are served', async () => {
    const app = await buildApp({ ...testApp().context, requestTimeoutMs: 400 });
    const address = await app.listen({ port: 0, host: '127.0.0.1' });
    const talk = (text: string) =>
      new Promise<string>((resolve) => {
        let answer = '';
        const socket = net.connect(Number(new URL(address).port), '127.0.0.1', () => socket.write(text));
        socket.on('data', (chunk) => (answer += chunk)).on('error', () => {});
        socket.on('close', () => resolve(answer));
      });
    const slow = Promise.all([
      talk('GET /api/front/goods/category HTTP/1.1\r\nHost: x\r\nX-Slow: '),
      talk(
        'POST /api/front/app/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
      ),
    ]);
    expect((await fetch(`${address}/api/front/goods/category`)).status).toBe(200);
    for (const answer of await slow) expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    const nonsense = await talk('HELLO\r\n\r\n');
    expect(nonsense).toMatch(/^HTTP\/1\.1 400 [\s\S]*x-content-type-options: nosniff/);
    expect(await talk(`GET / HTTP/1.1\r\nHost: x\r\nX-Big: ${'a'.repeat(40_000)}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 431 /);
    await app.close();
  });

  it('a request is refused when its body is too large, too deep or not JSON', async () => {
    const deep = '['.repeat(20_000) + ']'.repeat(20_000);
    for (const [body, status, code] of [
      [`{"phone":"${'1'.repeat(100_000)}"}`, 413, 413],
      ...[deep, '{"phone":', '{"__proto__":{"x":1}}'].map((body) => [body, 200, 40001] as const),
    ] as const)
      expect(await testApp().post('app/login', body)).toMatchObject({ status, code });
    expect(await testApp().get('nothing/here')).toMatchObject({ status: 404, code: 404 });
    const nonsense = { headers: { authorization: 'Bearer nonsense' } };
    expect(await testApp().get('user/info', nonsense)).toMatchObject({ status: 200, code: 401 });
  });
});
