import { DEMO_PASSWORD, DEMO_PHONE } from './seed/demo';
import type { RunningServer } from './start';

/**
 * What the terminal shows once the server listens. `setup` is the one-time address for the first manager of the staff console;
 * `hasOps`: there is /ops.
 */
export function banner({ url, context, warnings }: RunningServer, setup?: string, hasOps = false): string {
  const lines = [`Shop ready: ${url}`];
  if (context.config.sandbox) {
    if (context.config.demo) lines.push(`  Demo account: ${DEMO_PHONE}, password ${DEMO_PASSWORD}`);
    if (context.providers.sms.name === 'outbox') lines.push(`  Verification codes: ${url}/dev/outbox`);
  }
  const { payments, sms, storage, wechatSignIn, suppliers } = context.config.providers;
  const methods = Object.entries(payments).map(([currency, codes]) => `${currency} ${codes.join(', ') || 'none'}`);
  const supplied = Object.keys(suppliers).length;
  lines.push(
    `  Payments: ${methods.join('; ')}. Messages: ${typeof sms === 'string' ? sms : 'tencent'}. Pictures: ${
      typeof storage === 'string' ? storage : 's3'
    }. WeChat sign-in: ${typeof wechatSignIn === 'string' ? wechatSignIn : 'on'}. Stock types with a supplier: ${supplied}.`,
  );
  if (setup) lines.push(`  First manager of the staff console, once, within 24 hours: ${setup}`);
  const { opsToken, opsTokenIsRandom } = context.config.releases;
  if (hasOps && opsTokenIsRandom)
    lines.push(`  Releases and rollback: /ops, token ${opsToken} (set OPS_TOKEN to choose it)`);
  lines.push(...warnings.map((one) => `  Warning: ${one}`));
  return lines.join('\n');
}
