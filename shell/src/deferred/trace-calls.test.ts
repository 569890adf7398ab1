import { get, post, put } from '@shop/shared/http';
import { stubNetwork } from '@shop/shared/testing';
import { traceCalls } from './trace-calls';

it('adds a trace header to each call to this site, and none to other sites', async () => {
  const requests = stubNetwork({ 'GET /api/front/article/all': [], 'POST /api/front/app/logout': null });
  await get('/api/front/article/all');
  await traceCalls();
  await get('/api/front/article/all');
  await post('/api/front/app/logout');
  await put('https://pictures.example/incoming/1', new Blob(['x']), {}).catch(() => {});
  const [before, first, second, elsewhere] = requests.map(({ headers }) => headers.traceparent);
  expect(before).toBeUndefined();
  expect(first).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  expect(second).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  expect(second?.slice(3, 35)).not.toBe(first?.slice(3, 35));
  expect(elsewhere).toBeUndefined();
});
