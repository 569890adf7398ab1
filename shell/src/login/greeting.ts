import type { User } from '@shop/shared/session';
import { toast } from '@shop/shared/ui';
import { t } from './texts';

/** The greeting by the device's hour (docs/product.md#session). */
type Greeting = 'earlyMorning' | 'morning' | 'noon' | 'afternoon' | 'evening';

export function greetingOf(hour: number): Greeting {
  if (hour < 8) return 'earlyMorning';
  if (hour <= 11) return 'morning';
  if (hour <= 13) return 'noon';
  if (hour <= 17) return 'afternoon';
  return 'evening';
}

export function greet({ nickname, phone }: User): void {
  toast.success(t(`greeting.${greetingOf(new Date().getHours())}`, { name: nickname || phone }));
}
