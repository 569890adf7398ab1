import type { GateFlow } from '@platform/releases/contract';

// A phone shows the page's search field, a desktop the header's.
const field = { 'zh-CN': '搜索游戏', en: 'Search games' };
const genshin = { 'zh-CN': '原神', en: 'Genshin Impact' };

const flows: GateFlow[] = [
  {
    name: 'search leads to a product that can be bought',
    route: '/search',
    visitor: 'guest',
    steps: [
      { fill: 'combobox', name: field, value: 'ys' },
      { press: 'option', name: genshin },
      { arrive: '/goods/:id' },
      { agrees: '/api/front/goods/info', value: 'data.specs.*.price', as: 'money' },
      { press: 'button', name: { 'zh-CN': '立即购买', en: 'Buy now' } },
      // A guest signs in first, so no order is created.
      { see: 'dialog', name: { 'zh-CN': '登录', en: 'Sign in' } },
    ],
  },
];
export default flows;
