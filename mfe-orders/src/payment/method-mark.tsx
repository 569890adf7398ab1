import { Icon, type IconName } from '@shop/shared/ui';

/** Drawn or plain text, no provider's artwork. */
const marks: Record<string, { icon: IconName } | { text: string }> = {
  balance: { icon: 'wallet' },
  wechat: { text: '微' },
  alipay: { text: '支' },
};

export function MethodMark({ code }: { code: string }) {
  const mark = marks[code] ?? { icon: 'card' };
  return (
    <span className={`orders-mark orders-mark--${code}`} aria-hidden="true">
      {'icon' in mark ? <Icon name={mark.icon} size={22} /> : mark.text}
    </span>
  );
}
