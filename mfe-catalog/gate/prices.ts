import type { GateFlow } from '@platform/releases/contract';

const flows: GateFlow[] = [
  {
    name: 'prices on the home page are those of the server',
    route: '/home',
    visitor: 'guest',
    steps: [{ agrees: '/api/front/customModule/list', value: 'data.*.items.0.price', as: 'money' }],
  },
  {
    name: 'the list shows the price of the server',
    route: '/goods',
    visitor: 'guest',
    steps: [{ agrees: '/api/front/goods/list', value: 'data.list.0.min_price', as: 'money' }],
  },
];
export default flows;
