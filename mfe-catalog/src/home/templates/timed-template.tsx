import { useTexts } from '../../texts';
import type { TemplateProps } from '../home-module';
import { ItemTile } from './item-tile';

/** Template 6: a row for a limited time; the module's heading shows the countdown. */
export function TimedTemplate({ module }: TemplateProps) {
  const { t } = useTexts();
  return (
    <ul className="catalog-scroller">
      {module.items.map((item) => (
        <ItemTile key={item.id} item={item} look="scroller" tag={item.tag ?? t('home.deal')} tone="danger" />
      ))}
    </ul>
  );
}
