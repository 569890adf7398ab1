import { inTurn, pendingAnswer, stubNetwork } from '@shop/shared/testing';
import { SessionStore } from './session.store';

const balances = { CNY: '10.00', USD: '0.00' };

it('maps the user info, with 0 for missing flags', async () => {
  stubNetwork({
    'GET /api/front/user/info': {
      id: 7,
      avatar: '/a.webp',
      balance: '10.00',
      balances,
      birthday: '1999-12-31',
      email: 'a@b.example',
      id_card_code: '1101**********1234',
      name: '王**',
      nickname: '小星',
      openid: 'o1',
      phone: '13800000000',
    },
  });
  const session = new SessionStore();
  expect([session.hasUser, session.user]).toEqual([false, null]);
  await session.refreshUser();
  expect(session.hasUser).toBe(true);
  expect(session.user).toMatchObject({
    id: '7',
    avatar: '/a.webp',
    balance: '10.00',
    balances,
    birthday: '1999-12-31',
    email: 'a@b.example',
    idCardCode: '1101**********1234',
    isReal: 0,
    isUsable: 0,
    name: '王**',
    nickname: '小星',
    openid: 'o1',
    phone: '13800000000',
    sex: 0,
  });
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
