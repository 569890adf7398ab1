import { Row } from '../../common/row';
import { ItemTile } from './item-tile';
import type { TemplateProps } from './template-props';

/** Template 2: one row that scrolls sideways. */
export function ScrollerTemplate({ module }: TemplateProps) {
  return (
    <Row className="catalog-scroller">
      {module.items.map((item) => (
        <ItemTile key={item.id} item={item} look="scroller" tag={item.tag} />
      ))}
    </Row>
  );
}
