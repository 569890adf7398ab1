import type { GateFlow } from '@platform/releases/contract';

const flows: GateFlow[] = [
  {
    name: 'a guest who opens a guarded page is asked to sign in',
    route: '/user',
    visitor: 'guest',
    steps: [{ see: 'textbox', name: { 'zh-CN': '手机号', en: 'Phone number' } }],
  },
];
export default flows;
