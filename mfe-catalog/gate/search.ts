import type { GateFlow } from '@platform/releases/contract';

// The page's own on a phone, the header's on a desktop.
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
      // A guest signs in first, so nothing is ordered.
      { see: 'dialog', name: { 'zh-CN': '登录', en: 'Sign in' } },
    ],
  },
];
export default flows;
