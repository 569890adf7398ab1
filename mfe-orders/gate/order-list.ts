import type { GateFlow } from '@platform/releases/contract';

const flows: GateFlow[] = [
  {
    name: 'a search without a result leads back to all orders',
    route: '/order',
    address: '/order?keyword=no-such-order',
    visitor: 'signed in',
    steps: [
      { read: { 'zh-CN': '没有找到“no-such-order”', en: 'No results for “no-such-order”' } },
      { press: 'button', name: { 'zh-CN': '查看全部订单', en: 'Show all orders' } },
      { press: 'tab', name: { 'zh-CN': '已完成', en: 'Finished' } },
      { see: 'tab', name: { 'zh-CN': '全部', en: 'All' } },
    ],
  },
  {
    name: 'amounts of orders are those of the server',
    route: '/order',
    visitor: 'signed in',
    steps: [{ agrees: '/api/front/order/list', value: 'data.list.*.total_amount', as: 'money' }],
  },
];
export default flows;
