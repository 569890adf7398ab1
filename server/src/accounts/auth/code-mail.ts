import type { Locale } from '../../platform/http/schemas';
import type { Mail } from '../../providers/providers';
import { periodText } from '../retention/periods';

const texts: Record<Locale, (code: string, period: string) => Pick<Mail, 'subject' | 'text'>> = {
  'zh-CN': (code, period) => ({
    subject: `验证码 ${code}`,
    text: `你的验证码是 ${code}，${period}内有效。\n\n请勿告诉他人，我们的工作人员不会向你索要。如果不是你本人操作，请忽略此邮件。\n`,
  }),
  en: (code, period) => ({
    subject: `${code} is your verification code`,
    text: `Your verification code is ${code}. It is valid for ${period}.\n\nDon’t share it: we never ask you for it. If you didn’t request a code, ignore this email.\n`,
  }),
};

/** Written by the shop alone: nothing that somebody typed stands in it. */
export const codeMail = ({ to, code, locale, id }: { to: string; code: string; locale: Locale; id: number }): Mail => ({
  to,
  locale,
  ...texts[locale](code, periodText('code', locale)),
  messageId: `code.${id}`,
});
