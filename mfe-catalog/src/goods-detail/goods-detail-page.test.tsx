import { usePageTitleOf } from '@shop/shared/router';
import {
  failWith,
  inTurn,
  pageOf,
  pendingAnswer,
  type StubbedAnswers,
  type StubbedRequest,
  sessionEnded,
  testUser,
  timesOut,
} from '@shop/shared/testing';
import { act, fireEvent, renderHook, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { aGoods, aPreview, aTopUp, goodsFixture } from '../common/fixtures';
import { nameOf, rememberSeen, type SeenItem, seenGoods } from '../seen/seen-goods';
import { created, open } from '../testing/detail-page';

const user = userEvent.setup();
const signedIn = { user: testUser };
const calls = (requests: StubbedRequest[], url: string) => requests.filter((request) => request.url.endsWith(url));
const buyButton = () => screen.findByRole('button', { name: '立即购买' });
const info = 'GET /api/front/goods/info';
const preview = 'POST /api/front/order/preview';
const create = 'POST /api/front/order/create';
const receive = 'POST /api/front/coupon/receive';
const openSignedIn = (api: StubbedAnswers) => open(api, signedIn);
async function openFilledIn(api: StubbedAnswers, session: object = signedIn) {
  const opened = await open({ [info]: aTopUp(), ...api }, session);
  await user.type(await screen.findByLabelText('UID'), '123456789');
  await user.selectOptions(screen.getByLabelText('服务器'), 'cn');
  return opened;
}

it('shows a guest the whole total before the sign-in, and updates it with the selection', async () => {
  const { container, requests } = await open({});
  expect(await screen.findByRole('radio', { name: /60 结晶/ })).toBeChecked();
  await user.click(screen.getByRole('radio', { name: /300 结晶/ }));
  await user.click(screen.getByRole('button', { name: '增加购买数量' }));
  expect(container.querySelector('output')).toHaveTextContent('¥60.00');
  expect(calls(requests, 'order/preview')).toHaveLength(0);
});

describe('prices by quantity', () => {
  const goods = goodsFixture();
  const [first, ...others] = goods.specs;
  const steps = [
    { from: 2, price: '5.50' },
    { from: 5, price: '5.00' },
  ];
  const withSteps = { ...goods, specs: [{ ...first, steps }, ...others] };

  it('lists prices by quantity in a table, marks the current one, and shows guests their total', async () => {
    const { container } = await open({ [info]: withSteps });
    const table = await screen.findByRole('table', { name: '数量优惠' });
    const rows = () => within(table).getAllByRole('row');
    expect(rows().map((row) => row.textContent)).toEqual([
      '数量单价',
      '1 件起 · 当前¥6.00',
      '2 件起¥5.50',
      '5 件起¥5.00',
    ]);
    await user.click(screen.getByRole('button', { name: '增加购买数量' }));
    expect(rows()[2]).toHaveAttribute('aria-current', 'true');
    expect(container.querySelector('output')).toHaveTextContent('¥11.00');
    expect(screen.getByText('满 2 件').parentElement).toHaveTextContent('−¥1.00');
    expect(screen.getByText('商品金额').parentElement).toHaveTextContent('¥12.00');
    await user.click(screen.getByRole('radio', { name: /300 结晶/ }));
    expect(screen.queryByRole('table')).toBeNull();
  });

  it('lists the discounts by quantity and level line by line, starting from the list price', async () => {
    const breakdown = [
      { kind: 'goods', label: '商品金额', amount: '12.00' },
      { kind: 'step', label: '满 2 件', amount: '-1.00' },
      { kind: 'level', label: '黄金会员', amount: '-0.54' },
      { kind: 'total', label: '应付金额', amount: '10.46' },
    ];
    const reduced = aPreview({ list_price: '6.00', unit_price: '5.23', total_amount: '10.46', breakdown });
    await openSignedIn({ [info]: withSteps, [preview]: reduced });
    const level = await screen.findByText('黄金会员');
    expect(level.parentElement).toHaveTextContent('黄金会员−¥0.54');
    expect(screen.getByText('满 2 件').parentElement).toHaveTextContent('−¥1.00');
    expect(screen.queryByText(/¥6\.00 × /)).toBeNull();
    await user.click(screen.getByRole('button', { name: '增加购买数量' }));
    expect(await screen.findByText(/¥6\.00 × 2/)).toBeVisible();
  });
});

describe('a guest who buys', () => {
  const toBuy = (end: boolean) => ({ openLogin: jest.fn(async () => end) });

  it('clicks Buy once: after the sign-in the order has the selection and the input', async () => {
    const session = toBuy(true);
    const { requests, router } = await openFilledIn({}, session);
    await user.click(screen.getByRole('button', { name: '增加购买数量' }));
    await user.click(await buyButton());
    await waitFor(() => expect(router.state.location.pathname).toBe('/order/detail/N1234567890'));
    expect(session.openLogin).toHaveBeenCalledTimes(1);
    expect(session.openLogin).toHaveBeenCalledWith('', 'buy');
    expect(calls(requests, 'order/create')).toHaveLength(1);
    expect(calls(requests, 'order/create')[0]?.body).toMatchObject({
      quantity: 2,
      coupon: 'best',
      fields: { uid: '123456789', server: 'cn' },
    });
  });

  it('places no order when the guest closes the sign-in, keeps the input, and can be clicked again', async () => {
    const session = toBuy(false);
    const { requests } = await openFilledIn({}, session);
    await user.click(await buyButton());
    await waitFor(async () => expect(await buyButton()).toBeEnabled());
    expect(screen.getByLabelText('UID')).toHaveValue('123456789');
    await user.click(await buyButton());
    await waitFor(() => expect(session.openLogin).toHaveBeenCalledTimes(2));
    expect(calls(requests, 'order/create')).toHaveLength(0);
  });

  it('shows the errors at the fields before the sign-in, and places no order', async () => {
    const session = toBuy(true);
    const { requests } = await open({ [info]: aTopUp() }, session);
    await user.type(await screen.findByLabelText('UID'), '12');
    await user.click(await buyButton());
    expect(await screen.findByText('格式不正确，请检查')).toBeVisible();
    expect(screen.getByText('请选择', { selector: '.ui-field__error' })).toBeVisible();
    expect(screen.getByLabelText('UID')).toBeInvalid();
    expect(session.openLogin).not.toHaveBeenCalled();
    expect(calls(requests, 'order/create')).toHaveLength(0);
  });

  it('asks for confirmation when the total is above the shown one', async () => {
    const dearer = aPreview({ total_amount: '7.00', price_version: 'v2' });
    const { requests } = await open({ [preview]: dearer }, toBuy(true));
    await user.click(await buyButton());
    const dialog = await screen.findByRole('alertdialog', { name: '价格有变动' });
    expect(dialog).toHaveTextContent(/¥6\.00.*¥7\.00/);
    expect(calls(requests, 'order/create')).toHaveLength(0);
    await user.click(within(dialog).getByRole('button', { name: '按 ¥7.00 购买' }));
    await waitFor(() => expect(calls(requests, 'order/create')[0]?.body).toMatchObject({ price_version: 'v2' }));
  });

  it.each([
    ['gets the coupon on offer, which counts in the order, and is notified', '新人券', [], true, 'v-coupon'],
    ['gets it also when the answer is lost', '回归券', timesOut(), true, 'v-coupon'],
    ['orders without a coupon that is gone', '抢光券', failWith(44002, 'none left'), false, 'v1'],
  ])('%s', async (_, name, answer, isBooked, version) => {
    const offer = { id: 3, name, discount_amount: '2.00', total_amount: '4.00' };
    const coupon = { ...offer, user_coupon_id: 31, coupon_type: 1, end_time: '2030-01-01T00:00:00.000Z' };
    const withCoupon = aPreview({ coupon, total_amount: '4.00', price_version: 'v-coupon' });
    let isReceived = false;
    const { requests, router } = await open(
      {
        [receive]: () => {
          isReceived = isBooked;
          return answer;
        },
        [preview]: () => (isReceived ? withCoupon : aPreview({ offer })),
      },
      toBuy(true),
    );
    await user.click(await buyButton());
    await waitFor(() => expect(router.state.location.pathname).toBe('/order/detail/N1234567890'));
    const [claim] = calls(requests, 'coupon/receive');
    expect(claim?.body).toEqual({ coupon_id: 3 });
    expect(claim?.headers['Idempotency-Key']).toMatch(/^[0-9a-f]{32}$/);
    expect(calls(requests, 'order/create')[0]?.body).toMatchObject({ price_version: version });
    expect(screen.queryAllByText(`已领取“${name}”`)).toHaveLength(isBooked ? 1 : 0);
  });
});

it('shows a sold-out face value as sold out and disables it', async () => {
  await open({});
  const out = await screen.findByRole('radio', { name: /648 结晶.*已售罄/ });
  expect(out).toBeDisabled();
  expect(screen.getByRole('radio', { name: /300 结晶.*库存紧张/ })).toBeEnabled();
});

it('disables buying when all face values are sold out', async () => {
  const goods = goodsFixture();
  await open({
    [info]: { ...goods, specs: goods.specs.map((spec) => ({ ...spec, stock_state: 0 })) },
  });
  expect(await screen.findByRole('button', { name: '已售罄' })).toBeDisabled();
});

it('opens with the face value and the quantity of an earlier order', async () => {
  await open({}, {}, '/goods/7?spec_id=72&quantity=3');
  expect(await screen.findByRole('radio', { name: /300 结晶/ })).toBeChecked();
  expect(screen.getByRole('spinbutton', { name: '购买数量' })).toHaveValue('3');
});

it('a custom value shows its price with every key, is refused between the steps, and changes to the nearest on sale on blur', async () => {
  const custom = { min: 10, max: 500, step: 10, unit_price: '0.98', unit: '元' };
  const { container } = await open({ [info]: goodsFixture({ spec_type: 2, specs: [], custom }) });
  const input = await screen.findByLabelText('自定义面值');
  await user.clear(input);
  await user.type(input, '100');
  expect(container.querySelector('output')).toHaveTextContent('¥98.00');
  await user.type(input, '1');
  expect(input).toHaveAttribute('aria-invalid', 'true');
  expect(await buyButton()).toBeDisabled();
  await user.tab();
  expect(input).toHaveValue('500');
  await user.clear(input);
  await user.type(input, '😀<script>');
  await user.tab();
  expect(input).toHaveValue('10');
});

const noLimits = { min: 1, max: 10, per_user: 0, per_day: 0, used: 0 };

it.each([
  ['left for today', { per_day: 4, used: 2 }, 2, '今日还可购 2 件'],
  ['per user', { per_user: 3, used: 1 }, 2, '每人限购 3 件'],
  ['of an order', {}, 5, '最多 5 件'],
])(
  'the quantity stays within the limit %s, and shows the limit only when it is reached',
  async (_, limits, max, text) => {
    const goods = goodsFixture({ limits: { ...noLimits, ...limits } });
    const { container } = await open({ [info]: goods });
    const more = await screen.findByRole('button', { name: '增加购买数量' });
    const hint = container.querySelector('.catalog-quantity .catalog-hint') as HTMLElement;
    for (let quantity = 1; quantity < max; quantity++) {
      expect(hint).toBeEmptyDOMElement();
      await user.click(more);
    }
    expect(hint).toHaveTextContent(new RegExp(`^${text}$`));
    expect(more).toBeDisabled();
  },
);

it.each([
  ['the minimum quantity', { min: 2 }, '2 件起购', true],
  ['that the daily limit is used up', { per_day: 2, used: 2 }, /今日购买数量已达上限/, false],
])('shows %s', async (_, limits, text, canBuy) => {
  const goods = goodsFixture({ limits: { ...noLimits, ...limits } });
  await openSignedIn({ [info]: goods });
  expect(await screen.findByText(text)).toBeVisible();
  expect((await buyButton()).hasAttribute('disabled')).toBe(!canBuy);
});

it('shows the server’s message at its field', async () => {
  const refused = failWith(40001, '有误', { errors: { 'fields.uid': '这个 UID 不存在' } });
  await openFilledIn({ [create]: refused });
  await user.click(await buyButton());
  expect(await screen.findByText('这个 UID 不存在')).toBeVisible();
});

it('fills in the latest saved account, and another one on a click', async () => {
  await openSignedIn({
    [info]: aTopUp(),
    'GET /api/front/user/gameAccount': [
      { id: 1, goods_id: 7, label: '大号', fields: { uid: '111111111', server: 'cn' }, created_at: '' },
      { id: 2, goods_id: 7, label: '小号', fields: { uid: '222222222', server: 'os' }, created_at: '' },
    ],
  });
  await waitFor(() => expect(screen.getByLabelText('UID')).toHaveValue('111111111'));
  await user.click(screen.getByRole('button', { name: '小号' }));
  await waitFor(() => expect(screen.getByLabelText('UID')).toHaveValue('222222222'));
  expect(screen.getByLabelText('服务器')).toHaveDisplayValue('国际服');
});

it('offers only the options that fit the field above, and clears an option that no longer fits', async () => {
  const topUp = aTopUp();
  const zone = {
    key: 'zone',
    label: '大区',
    type: 'select' as const,
    required: true,
    options: [
      { value: 'a', label: '一区', when: ['cn'] },
      { value: 'b', label: '二区', when: ['os'] },
    ],
    depends_on: 'server',
    remember: false,
  };
  await openSignedIn({ [info]: { ...topUp, fields: [...topUp.fields, zone] } });
  await user.selectOptions(await screen.findByLabelText('服务器'), '天空岛');
  await user.selectOptions(screen.getByLabelText('大区'), '一区');
  await user.selectOptions(screen.getByLabelText('服务器'), '国际服');
  await waitFor(() => expect(screen.getByLabelText('大区')).toHaveValue(''));
  expect(within(screen.getByLabelText('大区')).queryByText('一区')).not.toBeInTheDocument();
});

describe('account check', () => {
  const checked = { ok: true, nickname: '旅行者', validation_token: 'tok' };
  const answering = (answer: unknown): StubbedAnswers => ({
    [info]: aTopUp({ need_verify_account: true }),
    'POST /api/front/goods/validateAccount': answer,
  });

  it('shows the nickname and sends its token with the order', async () => {
    const { requests } = await openFilledIn(answering(checked));
    await user.click(screen.getByRole('button', { name: '查询账号' }));
    expect(await screen.findByText('昵称：旅行者')).toBeVisible();
    await user.click(await buyButton());
    await waitFor(() => expect(calls(requests, 'order/create')).toHaveLength(1));
    expect(calls(requests, 'order/create')[0]?.body).toMatchObject({
      validation_token: 'tok',
      fields: { uid: '123456789', server: 'cn' },
    });
  });

  it('asks "is this you" before buying, and places no order when the user says no', async () => {
    const { requests } = await openFilledIn(answering(checked));
    await user.click(await buyButton());
    await user.click(await screen.findByRole('button', { name: '返回修改' }));
    await waitFor(async () => expect(await buyButton()).toBeEnabled());
    expect(calls(requests, 'order/create')).toHaveLength(0);
  });

  it('shows an unknown account at the field', async () => {
    await openFilledIn(answering(failWith(42230, '账号不存在')));
    await user.click(await buyButton());
    expect(await screen.findByText('账号不存在', { selector: '.ui-field__error' })).toBeVisible();
  });
});

describe('coupons', () => {
  const coupon = {
    user_coupon_id: 5,
    id: 1,
    name: '满5减1',
    coupon_type: 10,
    discount_amount: '1.00',
    end_time: '2030-01-01T00:00:00Z',
  };
  const withCoupon = aPreview({
    coupon,
    coupon_discount: '1.00',
    total_amount: '5.00',
    available: [coupon],
    unavailable: [{ ...coupon, user_coupon_id: 6, name: '满100减20', reason: '未达到使用门槛', code: 44004 }],
  });

  it('selects the best coupon, shows the others with their reason, and can be cleared', async () => {
    const { requests, container } = await openSignedIn({
      [preview]: (request: StubbedRequest) =>
        (request.body as { coupon?: string }).coupon === 'none' ? aPreview({ available: [coupon] }) : withCoupon,
    });
    await waitFor(() => expect(container.querySelector('output')).toHaveTextContent('¥5.00'));
    expect(calls(requests, 'order/preview')[0]?.body).toMatchObject({ coupon: 'best', spec_id: 71, quantity: 1 });
    await user.click(screen.getByRole('button', { name: /优惠券.*−¥1.00/ }));
    const sheet = await screen.findByRole('dialog', { name: '选择优惠券' });
    expect(within(sheet).getByRole('radio', { name: /满5减1/ })).toBeChecked();
    expect(within(sheet).getByText('未达到使用门槛')).toBeVisible();
    await user.click(within(sheet).getByRole('radio', { name: '不使用优惠券' }));
    await waitFor(() => expect(container.querySelector('output')).toHaveTextContent('¥6.00'));
  });

  it('shows which coupon an unpaid order holds', async () => {
    const reservedCoupon = { ...coupon, discount_amount: '0.00', reason: '已用于一笔待付款订单', code: 44008 };
    await openSignedIn({ [preview]: aPreview({ unavailable: [reservedCoupon] }) });
    await user.click(await screen.findByRole('button', { name: /优惠券.*“满5减1”已用于待付款订单.*暂无可用/ }));
    expect(await screen.findByText('已用于一笔待付款订单')).toBeVisible();
  });

  describe('an offered coupon with the largest discount', () => {
    const offer = { id: 3, name: '新人券', discount_amount: '2.00', total_amount: '4.00' };
    const claimed = { ...coupon, user_coupon_id: 31, name: '新人券', discount_amount: '2.00' };
    const withOffer = { ...withCoupon, offer };

    /** The shop's answers before and after the claim; a refused claim changes nothing. */
    function offering(claim: unknown = [], isBooked = true) {
      let isReceived = false;
      return {
        [receive]: () => {
          isReceived = isBooked;
          return claim;
        },
        [preview]: (request: StubbedRequest) => {
          const { coupon: choice } = request.body as { coupon?: string };
          if (choice === undefined) return withOffer;
          if (choice === 'none') return { ...aPreview({ available: [coupon] }), offer: isReceived ? null : offer };
          if (!isReceived) return withOffer;
          return { ...withCoupon, coupon: claimed, total_amount: '4.00', price_version: 'v-claimed', offer: null };
        },
      } as StubbedAnswers;
    }

    it('includes the discount of an offered coupon in the total before buying, without claiming it', async () => {
      const { container, requests } = await openSignedIn(offering());
      await waitFor(() => expect(container.querySelector('output')).toHaveTextContent('券后合计已省 ¥2.00¥4.00'));
      expect(screen.getByRole('button', { name: /优惠券.*新人券 · 购买时自动领取.*−¥2\.00/ })).toBeVisible();
      expect(screen.getByText('新人券', { selector: 'dt' }).parentElement).toHaveTextContent('新人券−¥2.00');
      expect(screen.queryByText('满5减1', { selector: 'dt' })).toBeNull();
      expect(calls(requests, 'coupon/receive')).toHaveLength(0);
    });

    it('asks for confirmation of the higher total when the coupon is gone, and places no order without it', async () => {
      const { requests } = await openSignedIn(offering(failWith(44002, 'none left'), false));
      await screen.findByText('券后合计');
      await user.click(await buyButton());
      const question = await screen.findByRole('alertdialog', { name: '价格有变动' });
      expect(question).toHaveTextContent('合计由 ¥4.00 变为 ¥5.00');
      await user.click(within(question).getByRole('button', { name: '取消' }));
      await waitFor(async () => expect(await buyButton()).toBeEnabled());
      expect(calls(requests, 'order/create')).toHaveLength(0);
    });

    it.each([
      ['no coupon', '不使用优惠券', '¥6.00', { coupon: 'none' }],
      ['another one', /满5减1/, '¥5.00', { user_coupon_id: 5 }],
    ])('does not claim the coupon when the user chooses %s', async (_, choice, total, body) => {
      const { container, requests, router } = await openSignedIn(offering());
      await user.click(await screen.findByRole('button', { name: /优惠券.*−¥2\.00/ }));
      const sheet = await screen.findByRole('dialog', { name: '选择优惠券' });
      expect(within(sheet).getByRole('radio', { name: /新人券.*最优惠/ })).toBeChecked();
      await user.click(within(sheet).getByRole('radio', { name: choice }));
      await user.click(within(sheet).getByRole('button', { name: '完成' }));
      await waitFor(() => expect(container.querySelector('output')).toHaveTextContent(total));
      await user.click(await buyButton());
      await waitFor(() => expect(router.state.location.pathname).toBe('/order/detail/N1234567890'));
      expect(calls(requests, 'order/create')[0]?.body).toMatchObject(body);
      expect(calls(requests, 'coupon/receive')).toHaveLength(0);
    });
  });

  it('selects the best coupon again when the chosen one no longer fits', async () => {
    const { requests } = await openSignedIn({
      [preview]: (request: StubbedRequest) => {
        const body = request.body as { user_coupon_id?: number; quantity: number };
        if (body.user_coupon_id && body.quantity > 1) return failWith(44004, '未达到使用门槛');
        return withCoupon;
      },
    });
    await user.click(await screen.findByRole('button', { name: /优惠券.*−¥1.00/ }));
    const sheet = await screen.findByRole('dialog');
    await user.click(within(sheet).getByRole('radio', { name: '不使用优惠券' }));
    await user.click(within(sheet).getByRole('radio', { name: /满5减1/ }));
    await user.click(within(sheet).getByRole('button', { name: '完成' }));
    await user.click(screen.getByRole('button', { name: '增加购买数量' }));
    await waitFor(() =>
      expect(calls(requests, 'order/preview').at(-1)?.body).toMatchObject({ coupon: 'best', quantity: 2 }),
    );
  });
});

describe('the total while the quantity changes', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());
  /** The server's coupon takes one off, which the client's estimate does not include. */
  const priced = ({ body }: StubbedRequest) => {
    const { quantity } = body as { quantity: number };
    return aPreview({ quantity, total_amount: `${6 * quantity - 1}.00`, price_version: `v${quantity}` });
  };
  const settle = () => act(() => jest.advanceTimersByTimeAsync(500));
  async function openWithTotal() {
    const result = await openSignedIn({ [preview]: priced });
    await waitFor(() => expect(result.container.querySelector('output')).toHaveTextContent('¥5.00'));
    return { ...result, output: result.container.querySelector('output') };
  }
  const step = () => fireEvent.click(screen.getByRole('button', { name: '增加购买数量' }));
  const quantities = (requests: StubbedRequest[]) =>
    calls(requests, 'order/preview').map(({ body }) => (body as { quantity: number }).quantity);

  it('keeps the last total, marked as updating, until a single request returns the price of the last step', async () => {
    const { requests, output } = await openWithTotal();
    for (let count = 0; count < 4; count += 1) step();
    expect(output).toHaveTextContent('¥5.00');
    expect(output).toHaveAttribute('aria-busy', 'true');
    await settle();
    await waitFor(() => expect(output).toHaveTextContent('¥29.00'));
    expect(output).toHaveAttribute('aria-busy', 'false');
    expect(quantities(requests)).toEqual([1, 5]);
  });

  it('orders the new quantity at its own price when Buy is clicked during an update', async () => {
    const { requests, router } = await openWithTotal();
    step();
    fireEvent.click(screen.getByRole('button', { name: '立即购买' }));
    await settle();
    expect(router.state.location.pathname).toBe('/order/detail/N1234567890');
    expect(calls(requests, 'order/create')[0]?.body).toMatchObject({ quantity: 2, price_version: 'v2' });
  });
});

it('creates the order with the price version and an idempotency key, which stays when a failed order is retried', async () => {
  const { requests, router } = await openSignedIn({ [create]: inTurn(failWith(50000, '出错了'), created) });
  await user.click(await buyButton());
  await waitFor(async () => expect(calls(requests, 'order/create')).toHaveLength(1));
  await waitFor(async () => expect(await buyButton()).toBeEnabled());
  await user.click(await buyButton());
  await waitFor(() => expect(router.state.location.pathname).toBe('/order/detail/N1234567890'));
  const [first, second] = calls(requests, 'order/create');
  expect(first?.body).toMatchObject({ goods_id: 7, spec_id: 71, quantity: 1, price_version: 'v1' });
  expect(String(first?.headers['Idempotency-Key'])).toMatch(/^[0-9a-f]{32}$/);
  expect(second?.headers['Idempotency-Key']).toBe(first?.headers['Idempotency-Key']);
});

it('shows a changed price and places the order only after a confirmation', async () => {
  const { requests, router } = await openSignedIn({
    [preview]: inTurn(aPreview(), aPreview({ total_amount: '7.00', price_version: 'v2' })),
    [create]: inTurn(failWith(43010, '价格已变'), created),
  });
  await screen.findByText('¥100.00');
  await user.click(await buyButton());
  const question = await screen.findByRole('alertdialog', { name: '价格有变动' });
  expect(question).toHaveTextContent('合计由 ¥6.00 变为 ¥7.00');
  expect(calls(requests, 'order/create')).toHaveLength(1);
  await user.click(within(question).getByRole('button', { name: '按 ¥7.00 购买' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/order/detail/N1234567890'));
  expect(calls(requests, 'order/create')[1]?.body).toMatchObject({ price_version: 'v2' });
});

describe('failures while buying', () => {
  it('asks to sign in when the session has ended, and places the order afterwards without another click', async () => {
    const openLogin = jest.fn(async () => true);
    const { requests, router } = await open({ [create]: inTurn(sessionEnded(), created) }, { ...signedIn, openLogin });
    await user.click(await buyButton());
    await waitFor(() => expect(router.state.location.pathname).toBe('/order/detail/N1234567890'));
    expect(openLogin.mock.calls).toEqual([['', 'buy']]);
    expect(calls(requests, 'order/create')).toHaveLength(2);
  });

  it('reloads the goods when they are out of stock', async () => {
    const { requests } = await openSignedIn({ [create]: failWith(42220, '库存不足') });
    await user.click(await buyButton());
    expect(await screen.findByText('库存不足')).toBeVisible();
    await waitFor(() => expect(calls(requests, 'goods/info').length).toBeGreaterThan(1));
  });

  it('shows why there is no price, also in the coupon sheet, and retries', async () => {
    const failure = failWith(50000, '算不出价格');
    await openSignedIn({ [preview]: inTurn(failure, failure, aPreview()) });
    expect(await screen.findByText('算不出价格')).toBeVisible();
    const cell = screen.getByRole('button', { name: /优惠券/ });
    expect(cell).toHaveTextContent('—');
    await user.click(cell);
    expect(await within(screen.getByRole('dialog')).findByText('算不出价格')).toBeVisible();
    await user.keyboard('{Escape}');
    await user.click(screen.getByRole('button', { name: '重试' }));
    expect(await screen.findByText('¥100.00')).toBeVisible();
  });
});

describe('goods that are not available', () => {
  const titleOf = (path: string) => renderHook(() => usePageTitleOf(path)).result.current;

  it('says that the goods are no longer sold, and links to other goods', async () => {
    await open({ [info]: failWith(42204, '已下架') });
    expect(await screen.findByText('找不到这个商品')).toBeVisible();
    expect(screen.getByRole('link', { name: '全部游戏' })).toHaveAttribute('href', '/goods');
    expect(titleOf('/goods/7')).toBe('找不到这个商品');
  });

  it('has a heading while the product loads and after a failure, and recovers with "try again"', async () => {
    const call = pendingAnswer();
    await open({ [info]: inTurn(call.stub, goodsFixture()) });
    expect(await screen.findByRole('heading', { level: 1, name: '商品' })).toBeInTheDocument();
    await act(async () => call.answer(failWith(50000, '')));
    expect(await screen.findByRole('alert')).toBeVisible();
    expect(screen.getByRole('heading', { level: 1, name: '商品' })).toBeInTheDocument();
    await user.click(await screen.findByRole('button', { name: '重试' }));
    expect(await screen.findByRole('heading', { name: '原神' })).toBeVisible();
    expect(titleOf('/goods/7')).toBe('原神');
  });

  it('refuses an id that is not a number', async () => {
    const { requests } = await open({}, {}, '/goods/%3Cscript%3E');
    expect(await screen.findByText('找不到这个商品')).toBeVisible();
    expect(requests).toHaveLength(0);
  });
});

it.each([
  [170, 200, '付款后立即发卡 · 近期订单约 3 分钟到账', ['已售 200+']],
  [7000, 20_000, '付款后立即发卡 · 近期订单约 2 小时到账', ['已售 2 万+']],
  [null, 9, '付款后立即发卡', []],
])(
  'shows the delivery time in words, and few sales not: %d seconds, %d sold',
  async (delivery_seconds, sold, time, shown) => {
    await open({ [info]: goodsFixture({ delivery_seconds, sold }) });
    expect(await screen.findByText(time)).toBeVisible();
    expect(screen.queryAllByText(/已售 |到货/).map((count) => count.textContent)).toEqual(shown);
  },
);

it('shows where and how to redeem, beside the face values', async () => {
  await open({ [info]: goodsFixture({ redeem: ['打开官网', '输入卡密'] }) });
  await user.click(await screen.findByText('使用方法'));
  expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual(
    expect.arrayContaining(['打开官网', '输入卡密']),
  );
});

it('opens the system’s share sheet, and copies the link in a browser without one', async () => {
  const share = jest.fn(async () => {});
  Object.assign(navigator, { share });
  await open({});
  const button = await screen.findByRole('button', { name: '分享：原神' });
  await user.click(button);
  expect(share).toHaveBeenCalledWith({ title: '原神', url: 'http://localhost/goods/7' });
  Reflect.deleteProperty(navigator, 'share');
  const copied = jest.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await user.click(button);
  expect(copied).toHaveBeenCalledWith('http://localhost/goods/7');
  expect(await screen.findByText('链接已复制')).toBeVisible();
});

describe('the end of the page', () => {
  let come: () => void = () => {};
  beforeEach(() => {
    localStorage.clear();
    window.IntersectionObserver = class {
      constructor(callback: IntersectionObserverCallback) {
        come = () => callback([{ isIntersecting: true } as IntersectionObserverEntry], this as never);
      }
      observe() {}
      disconnect() {}
    } as unknown as typeof IntersectionObserver;
  });
  afterEach(() => Reflect.deleteProperty(window, 'IntersectionObserver'));
  const list = 'GET /api/front/goods/list';

  it('loads related products when the user scrolls near them, and shows recently viewed ones', async () => {
    const related = [7, 8, 9].map((id) => aGoods({ id, name: `游戏 ${id}` }));
    const first = await open({ [info]: goodsFixture({ id: 5, name: '先看的' }) }, {}, '/goods/5');
    await screen.findByText('先看的');
    first.unmount();
    const { requests } = await open({ [list]: pageOf(related) });
    await screen.findByText('同类热销');
    expect(calls(requests, 'goods/list')).toEqual([]);
    act(() => come());
    const tiles = await screen.findByRole('region', { name: '同类热销' });
    await waitFor(() => expect(within(tiles).getAllByRole('listitem')).toHaveLength(2));
    expect(within(tiles).getByRole('link', { name: /游戏 8/ })).toHaveAttribute('href', '/goods/8');
    expect(calls(requests, 'goods/list')[0]?.params).toMatchObject({ category_id: 1, sort: 'hot' });
    const seen = screen.getByRole('region', { name: '最近看过' });
    expect(within(seen).getByRole('link')).toHaveTextContent('先看的');
    await user.click(within(seen).getByRole('button', { name: '清空' }));
    expect(screen.queryByText('最近看过')).toBeNull();
    expect(localStorage.getItem('catalog.recently-seen')).toBe('[]');
  });

  it('shows no related products when the category has no others, and a retry after a failure', async () => {
    const { unmount } = await open({ [list]: pageOf([aGoods({ id: 7 })]) });
    await screen.findByText('同类热销');
    act(() => come());
    await waitFor(() => expect(screen.queryByText('同类热销')).toBeNull());
    unmount();
    await open({ [list]: failWith(50000, 'Down') });
    await screen.findByText('同类热销');
    act(() => come());
    expect(await screen.findByRole('button', { name: '重试' })).toBeVisible();
  });
});

it('keeps the last twelve viewed products, each once, in the languages in which they were viewed', () => {
  localStorage.clear();
  for (let id = 1; id <= 14; id++) rememberSeen({ id, image: '/a', name: `名 ${id}` }, 'zh-CN');
  rememberSeen({ id: 5, image: '/b', name: 'Five' }, 'en');
  const seen = seenGoods.read();
  expect(seen.map(({ id }) => id)).toEqual([5, 14, 13, 12, 11, 10, 9, 8, 7, 6, 4, 3]);
  expect([nameOf(seen[0] as SeenItem, 'zh-CN'), nameOf(seen[0] as SeenItem, 'en')]).toEqual(['名 5', 'Five']);
  expect(nameOf(seen[1] as SeenItem, 'en')).toBe('名 14');
  localStorage.setItem('catalog.recently-seen', '[{"id":"x"},3,null]');
  expect(seenGoods.read()).toEqual([]);
});
