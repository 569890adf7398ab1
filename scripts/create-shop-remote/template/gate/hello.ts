import type { GateFlow } from '@platform/releases/contract';

const flows: GateFlow[] = [
  {
    name: 'the page leads home',
    route: '/__name__',
    visitor: 'guest',
    steps: [{ press: 'link', name: { 'zh-CN': '返回首页', en: 'Go home' } }, { arrive: '/home' }],
  },
];
export default flows;
