import { Tag } from '@shop/shared/ui';
import { useTexts } from '../texts';

export function Due({ at, now }: { at: string; now: number }) {
  const { t } = useTexts();
  const minutes = Math.floor((Date.parse(at) - now) / 60_000);
  const hours = Math.floor(Math.abs(minutes) / 60);
  const amount = hours >= 2 ? t('queue.hours', { count: hours }) : t('queue.minutes', { count: Math.abs(minutes) });
  if (minutes < 0) return <Tag tone="danger">{t('queue.late', { amount })}</Tag>;
  if (minutes === 0) return <Tag tone="danger">{t('queue.lastMinute')}</Tag>;
  return <Tag tone={minutes < 10 ? 'warning' : 'success'}>{t('queue.left', { amount })}</Tag>;
}
