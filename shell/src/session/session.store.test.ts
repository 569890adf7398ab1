import { inTurn, pendingAnswer, stubNetwork } from '@shop/shared/testing';
import { SessionStore } from './session.store';

const balances = { CNY: '10.00', USD: '0.00' };

it('maps the user info, with 0 for missing flags', async () => {
  const same = { avatar: '/a.webp', balances, birthday: '1999-12-31', nickname: '小星', phone: '13800000000' };
  stubNetwork({ 'GET /api/front/user/info': { ...same, id: 7, id_card_code: '1101**********1234' } });
  const session = new SessionStore();
  expect([session.hasUser, session.user]).toEqual([false, null]);
  await session.refreshUser();
  expect(session.hasUser).toBe(true);
  const mapped = { id: '7', idCardCode: '1101**********1234', isReal: 0, isUsable: 0, sex: 0 };
  expect(session.user).toMatchObject({ ...same, ...mapped });
});

it('fetches the user again after a payment, even if an earlier request is pending', async () => {
  const [early, late] = [pendingAnswer(), pendingAnswer()];
  stubNetwork({ 'GET /api/front/user/info': inTurn(early.stub, late.stub) });
  const store = new SessionStore();
  const user = (balance: string) => ({ id: 7, balance, balances });
  localStorage.setItem('token', 'Bearer x');
  store.restore();
  const requests = [store.ensureUser(), store.refreshUser()];
  late.answer(user('5.00'));
  early.answer(user('10.00'));
  await Promise.all(requests);
  expect(store.user?.balance).toBe('5.00');
  localStorage.clear();
});
