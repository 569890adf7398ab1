import type { OpsState } from '@shop/backoffice/wire';
import { type MarkName, markNames, t } from './texts';

export type Mark = OpsState['marks'][number];

const nameOf = (kind: string): MarkName | undefined => markNames.find((name) => name === kind.replace('.', '-'));

/** "Product ys-648 changed, and 3 more, by ann (staff)". What the shop names anew stands there by its own word. */
export function markText({ kind, subject, count, by }: Mark): string {
  const name = nameOf(kind);
  return [
    name ? t(`mark.${name}`, { subject }) : `${kind} ${subject}`,
    ...(count > 1 ? [t('marks.more', { count: count - 1 })] : []),
    ...(by ? [t('marks.by', { by })] : []),
  ].join(t('marks.and'));
}
