import { inTurn, pendingAnswer, stubNetwork } from '@shop/shared/testing';
import { AppConfigStore } from './app-config.store';

async function loaded(wire: object) {
  stubNetwork({ 'GET /api/front/app/config': wire });
  const store = new AppConfigStore();
  await store.load();
  return store.value;
}

it('accepts either spelling of a field', async () => {
  const camelCase = await loaded({ customerQrcode: '/q.png', workTime: '9–23', customerLink: 'https://c' });
  expect(camelCase).toMatchObject({ customerQrcode: '/q.png', workTime: '9–23', customerLink: 'https://c' });
  expect(await loaded({ customer_qrcode: '/q.png', work_time: '9–23', customer_link: 'https://c' })).toEqual(camelCase);
});

it('reloads in another language while the answer in the first one is pending', async () => {
  const [chinese, english] = [pendingAnswer(), pendingAnswer()];
  stubNetwork({ 'GET /api/front/app/config': inTurn(chinese.stub, english.stub) });
  const store = new AppConfigStore();
  const requests = [store.load(), store.reload()];
  english.answer({ work_time: 'Every day' });
  await Promise.resolve();
  chinese.answer({ work_time: '每天' });
  await Promise.all(requests);
  expect(store.value?.workTime).toBe('Every day');
});
