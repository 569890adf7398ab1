import { Row } from '../../common/row';
import { useTexts } from '../../texts';
import { ItemTile } from './item-tile';
import type { TemplateProps } from './template-props';

/** Template 6: a row for a limited time; the module's heading shows the countdown. */
export function TimedTemplate({ module }: TemplateProps) {
  const { t } = useTexts();
  return (
    <Row className="catalog-scroller">
      {module.items.map((item) => (
        <ItemTile key={item.id} item={item} look="scroller" tag={item.tag ?? t('home.deal')} tone="danger" />
      ))}
    </Row>
  );
}
