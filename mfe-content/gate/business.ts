import type { GateFlow } from '@platform/releases/contract';

const flows: GateFlow[] = [
  {
    name: 'an empty enquiry is not sent',
    route: '/business',
    visitor: 'guest',
    steps: [
      { press: 'button', name: { 'zh-CN': '提交合作意向', en: 'Send' } },
      { read: { 'zh-CN': '此项不能为空', en: 'Fill this in' } },
    ],
  },
];
export default flows;
