import { ItemTile } from './item-tile';
import type { TemplateProps } from './template-props';

/** Template 3: cards with a price, two columns on a phone. */
export function CardsTemplate({ module }: TemplateProps) {
  return (
    <ul className="catalog-tiles">
      {module.items.map((item) => (
        <ItemTile key={item.id} item={item} look="card" tag={item.tag} />
      ))}
    </ul>
  );
}
