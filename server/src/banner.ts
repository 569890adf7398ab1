import { DEMO_PASSWORD, DEMO_PHONE } from './seed/demo';
import type { RunningServer } from './start';

export function banner({ url, staffUrl, context }: RunningServer, notes: readonly string[] = []): string {
  const { payments, sms, mail, storage, wechatSignIn, suppliers } = context.config.providers;
  const lines = [`Shop ready: ${url}`, ...(staffUrl ? [`  Staff console: ${staffUrl}/staff`] : [])];
  if (context.config.sandbox) {
    if (context.config.demo) lines.push(`  Demo account: ${DEMO_PHONE}, password ${DEMO_PASSWORD}`);
    if (sms === 'outbox') lines.push(`  Verification codes: ${url}/dev/outbox`);
    if (mail === 'outbox') lines.push(`  Mails: ${url}/dev/mails`);
  }
  const methods = Object.entries(payments).map(([currency, codes]) => `${currency} ${codes.join(', ') || 'none'}`);
  const supplied = Object.keys(suppliers).length;
  lines.push(
    `  Payments: ${methods.join('; ')}. Messages: ${typeof sms === 'string' ? sms : 'tencent'}. Mail: ${
      typeof mail === 'string' ? mail : 'smtp'
    }. Pictures: ${
      typeof storage === 'string' ? storage : 's3'
    }. WeChat sign-in: ${typeof wechatSignIn === 'string' ? wechatSignIn : 'on'}. Stock types with a supplier: ${supplied}.`,
  );
  lines.push(...notes.map((note) => `  ${note}`));
  return lines.join('\n');
}
