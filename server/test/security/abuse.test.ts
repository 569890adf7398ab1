import { ErrorCode } from '@shop/shared/domain';
import { type Challenge, leadingZeroBits } from '@shop/shared/domain/challenge';
import { sha256 } from '../../src/platform/crypto/tokens';
import { onEveryDatabase, type User } from '../support/test-app';
import { countsOf } from '../support/times';
import { heldBack } from '../support/waiting-calls';

let phones = 0;
const phone = () => `1365${String(++phones).padStart(7, '0')}`;

function solve({ challenge, bits }: Challenge): string {
  for (let attempt = 0; ; attempt++)
    if (leadingZeroBits(sha256(`${challenge}:${attempt}`)) >= bits) return String(attempt);
}

onEveryDatabase('verification codes', (testApp) => {
  const send = (number: string, scene?: string, address = '10.20.0.1', headers = {}) =>
    testApp().post('app/send_code', { phone: number, scene }, { address, headers });

  it('codes to phones and emails are limited per IPv6 network, whichever of its addresses requests them', async () => {
    const codes: number[] = [];
    for (let index = 0; index < 60; index++) {
      const recipient = index % 2 ? { phone: phone() } : { email: `ann${index}@mail.example` };
      codes.push((await testApp().post('app/send_code', recipient, { address: `2001:db8:7:1::${index + 1}` })).code);
    }
    expect(countsOf(codes)).toEqual({ 200: 20, [ErrorCode.ChallengeRequired]: 40 });
    const wider: number[] = [];
    for (let index = 0; index < 80; index++)
      wider.push((await send(phone(), 'login', `2001:db8:7:${index + 2}00::1`)).code);
    expect(countsOf(wider)).toEqual({ 200: 60, [ErrorCode.ChallengeRequired]: 20 });
  });

  it('a busy network gets verification codes for solved challenges, each once, up to three times the limit', async () => {
    const address = (index: number) => `2001:db8:8:1::${index + 1}`;
    for (let index = 0; index < 20; index++) await send(phone(), 'login', address(index));
    const refused = await send(phone(), 'login', address(20));
    expect(refused.code).toBe(ErrorCode.ChallengeRequired);
    const challenge = refused.data as Challenge;
    const headers = { 'x-challenge': challenge.challenge, 'x-challenge-solution': solve(challenge) };
    const otherNetwork = '2001:db8:9:1::1';
    for (let index = 0; index < 20; index++) await send(phone(), 'login', otherNetwork);
    expect((await send(phone(), 'login', otherNetwork, headers)).code).toBe(ErrorCode.ChallengeRequired);
    expect((await send(phone(), 'login', address(21), { ...headers, 'x-challenge-solution': '0' })).code).toBe(
      ErrorCode.ChallengeRequired,
    );
    expect((await send(phone(), 'login', address(21), headers)).code).toBe(200);
    expect((await send(phone(), 'login', address(22), headers)).code).toBe(ErrorCode.ChallengeRequired);
    await testApp().db.run("update rate_limits set hits = 60 where key = 'code:2001:db8:8:1::/64'");
    expect((await send(phone(), 'login', address(23), headers)).code).toBe(ErrorCode.TooManyRequests);
  });
});

describe.each([
  ['SMS_DAILY_BUDGET', () => ({ phone: phone() }), { email: 'ann@mail.example' }],
  ['SMS_COUNTRY_DAILY_BUDGET', () => ({ phone: `+1415555${2000 + ++phones}` }), { phone: '13900007777' }],
  ['CODE_MAIL_DAILY_BUDGET', () => ({ email: `ann${++phones}@mail.example` }), { phone: '13900008888' }],
])('%s', (budget, next, unaffected) => {
  onEveryDatabase(
    'codes',
    (testApp) => {
      it('a daily budget of codes first causes an alarm, then requires challenges, then sends none; others are unaffected', async () => {
        const log = jest.spyOn(testApp().app.log, 'error');
        const send = (network: number, body: object, headers = {}) =>
          testApp().post('app/send_code', body, { address: `10.21.${network}.1`, headers });
        const codes: number[] = [];
        for (let network = 0; network < 12; network++) {
          const body = next();
          const first = await send(network, body);
          codes.push(first.code);
          if (first.code !== ErrorCode.ChallengeRequired) continue;
          const challenge = first.data as Challenge;
          const headers = { 'x-challenge': challenge.challenge, 'x-challenge-solution': solve(challenge) };
          codes.push((await send(network, body, headers)).code);
        }
        expect(countsOf(codes)).toEqual({ 200: 10, [ErrorCode.ChallengeRequired]: 2, [ErrorCode.TooManyRequests]: 2 });
        expect((await testApp().db.rows('select 1 from code_sends')).length).toBe(10);
        const alarms = log.mock.calls.filter(([, text]) => String(text).includes('nearly used up'));
        log.mockRestore();
        const used = alarms.map(([entry]) => (entry as unknown as { budgetUsed: number }).budgetUsed);
        expect(used).toEqual([0.7, 0.8, 0.9, 1]);
        expect((await send(20, unaffected)).code).toBe(200);
      });
    },
    () => ({ [budget]: '10' }),
  );
});

onEveryDatabase(
  'unpaid orders',
  (testApp) => {
    beforeEach(async () => {
      await testApp().db.run('update goods set max_qty = 99');
      await testApp().db.run('update goods_specs set max_qty = 99');
    });

    it('unpaid orders of one user reserve at most twenty pieces, and a single order as many as its product allows', async () => {
      const codesOf = async (quantities: number[]) => {
        const user = await testApp().user();
        const codes: number[] = [];
        for (const quantity of quantities) codes.push((await user.order({ quantity })).code);
        return codes;
      };
      expect(await codesOf([10, 10, 1])).toEqual([200, 200, ErrorCode.TooManyUnpaidOrders]);
      expect(await codesOf([25, 1])).toEqual([200, ErrorCode.TooManyUnpaidOrders]);
    });

    it('unpaid orders cannot be placed and cancelled without limit', async () => {
      const user = await testApp().user(5000);
      const codes: number[] = [];
      for (let index = 0; index < 22; index++) {
        const { code, data } = await user.order();
        codes.push(code);
        if (code === 200) await user.post('order/cancel', { order_no: data.order_no });
      }
      expect(countsOf(codes)).toEqual({ 200: 20, [ErrorCode.TooManyRequests]: 2 });
      await testApp().db.run('update rate_limits set resets_at = now() where key = $1', [`closed:${user.id}`]);
      expect((await user.order()).code).toBe(200);
    });

    it('unpaid orders of low stock reserve it for five minutes, and one network no more than one user, without its paid orders', async () => {
      await testApp().setStock(40);
      const order = async (address: string, quantity: number) =>
        (await testApp().user()).order({ quantity }, { address });
      const minutes = ({ expire_at, server_time }: { expire_at: string; server_time: string }) =>
        Math.round((Date.parse(expire_at) - Date.parse(server_time)) / 60_000);
      const network = '203.0.113.9';
      expect(minutes((await order(network, 10)).data)).toBe(15);
      const low = await order(network, 10);
      expect(minutes(low.data)).toBe(15);
      expect((await order(network, 1)).code).toBe(ErrorCode.TooManyRequests);
      const elsewhere = await order('203.0.113.10', 1);
      expect(minutes(elsewhere.data)).toBe(5);
      await testApp().setStock(25);
      const buyer = await testApp().user(20_000);
      const { data: paid } = await buyer.order({ quantity: 10 }, { address: '203.0.113.12' });
      expect((await buyer.pay(paid.order_no)).code).toBe(200);
      expect((await order('203.0.113.12', 15)).code).toBe(200);
      await testApp().setStock(30);
      expect((await order('203.0.113.11', 25)).code).toBe(200);
      expect((await order('203.0.113.11', 1)).code).toBe(ErrorCode.TooManyRequests);
    });

    it('unpaid orders of low stock keep a network’s limit when two of its users order concurrently', async () => {
      await testApp().setStock(37);
      const [first, second] = [await testApp().user(), await testApp().user()];
      const order = (user: User) => user.order({ quantity: 18 }, { address: '203.0.113.20' });
      const answers = await heldBack(
        testApp().db,
        // Placing an order writes its event last, so both orders are still open when they wait.
        (sql) => sql.script('lock table order_events in share mode'),
        () => order(first),
        () => order(second),
      );
      expect(countsOf(answers.map(({ code }) => code))).toEqual({ 200: 1, [ErrorCode.TooManyRequests]: 1 });
    });
  },
  () => ({}),
);
