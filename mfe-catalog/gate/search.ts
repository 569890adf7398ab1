import type { GateFlow } from '@platform/releases/contract';

const field = { 'zh-CN': '搜索游戏或商品', en: 'Search games or products' };
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
      { see: 'button', name: { 'zh-CN': '立即购买', en: 'Buy now' } },
    ],
  },
];
export default flows;
