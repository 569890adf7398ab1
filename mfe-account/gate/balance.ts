import type { GateFlow } from '@platform/releases/contract';

const flows: GateFlow[] = [
  {
    name: 'the balance can be hidden and shown',
    route: '/user',
    visitor: 'signed in',
    steps: [
      { agrees: '/api/front/user/info', value: 'data.balance', as: 'money' },
      { press: 'button', name: { 'zh-CN': '隐藏余额', en: 'Hide balance' } },
      { read: '••••••' },
      { press: 'button', name: { 'zh-CN': '显示余额', en: 'Show balance' } },
      { see: 'button', name: { 'zh-CN': '隐藏余额', en: 'Hide balance' } },
    ],
  },
];
export default flows;
