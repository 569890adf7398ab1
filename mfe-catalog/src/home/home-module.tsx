import type { CustomModule, ModuleItem } from '@shop/server/wire';
import { currencyOf, ZoneTemplate } from '@shop/shared/domain';
import { Link } from '@shop/shared/router';
import { Countdown, Icon, Picture, Price, Tag } from '@shop/shared/ui';
import type { ComponentType } from 'react';
import { listAddress, ShopLink } from '../common/shop-link';
import { useTexts } from '../texts';

type TemplateProps = { module: CustomModule };

function ItemPrice({ item }: { item: ModuleItem }) {
  const { language } = useTexts();
  if (!item.price) return null;
  return (
    <Price
      amount={item.price}
      currency={currencyOf(language)}
      original={item.original_price}
      from={item.prices_differ}
    />
  );
}

/**
 * Template 2: one row that scrolls sideways. Template 6: one for a limited time, with a countdown in its heading. Template 3, and one
 * that this release does not know: cards with a price, two columns on a phone (docs/product.md#catalogue).
 */
function TilesTemplate({ module }: TemplateProps) {
  const { t } = useTexts();
  const isTimed = module.template === ZoneTemplate.Timed;
  const isRow = isTimed || module.template === ZoneTemplate.Scroller;
  const size = isRow ? 132 : 240;
  return (
    <ul className={isRow ? 'catalog-scroller' : 'catalog-tiles'}>
      {module.items.map((item) => {
        const tag = item.tag ?? (isTimed && t('home.deal'));
        return (
          <li key={item.id}>
            <ShopLink type={item.link_type} value={item.link_value} className="catalog-tile">
              <Picture src={item.image} alt="" width={size} height={size} className="catalog-tile__cover" />
              <span className="catalog-tile__title ui-two-lines">{item.title}</span>
              <ItemPrice item={item} />
              {tag && (
                <span className="catalog-corner">
                  <Tag tone={isTimed ? 'danger' : 'accent'}>{tag}</Tag>
                </span>
              )}
            </ShopLink>
          </li>
        );
      })}
    </ul>
  );
}

/** Template 1: icons, four columns on a phone. */
function GridTemplate({ module }: TemplateProps) {
  return (
    <ul className="ui-card catalog-grid">
      {module.items.map((item) => (
        <li key={item.id}>
          <ShopLink type={item.link_type} value={item.link_value} className="catalog-grid__item ui-row ui-gap-1">
            <Picture src={item.image} alt="" width={52} height={52} className="catalog-grid__icon" />
            <span>{item.title}</span>
          </ShopLink>
        </li>
      ))}
    </ul>
  );
}

/** Template 4: one large and two small banners. */
function BannersTemplate({ module }: TemplateProps) {
  return (
    <ul className="catalog-themes">
      {module.items.slice(0, 3).map((item) => (
        <li key={item.id}>
          <ShopLink type={item.link_type} value={item.link_value} className="catalog-banner catalog-theme">
            <Picture src={item.image} alt="" width={640} height={400} />
            <span className="catalog-theme__title">{item.title}</span>
          </ShopLink>
        </li>
      ))}
    </ul>
  );
}

/** Template 5: a numbered list. */
function RankingTemplate({ module }: TemplateProps) {
  return (
    <ol className="catalog-ranking">
      {module.items.map((item, index) => (
        <li key={item.id}>
          <ShopLink type={item.link_type} value={item.link_value} className="catalog-ranking__item ui-row ui-wrap">
            <span className={index < 3 ? 'catalog-ranking__place is-top' : 'catalog-ranking__place'} aria-hidden="true">
              {index + 1}
            </span>
            <Picture src={item.image} alt="" width={56} height={56} className="catalog-ranking__cover" />
            <span className="catalog-ranking__title ui-row ui-gap-1 ui-wrap ui-grow">
              {item.title}
              {item.tag && <Tag tone="warning">{item.tag}</Tag>}
            </span>
            <ItemPrice item={item} />
          </ShopLink>
        </li>
      ))}
    </ol>
  );
}

const templates: Record<number, ComponentType<TemplateProps>> = {
  [ZoneTemplate.IconGrid]: GridTemplate,
  [ZoneTemplate.Banners]: BannersTemplate,
  [ZoneTemplate.Ranking]: RankingTemplate,
};

export function HomeModule({ module, onEnd }: { module: CustomModule; onEnd: () => void }) {
  const { t } = useTexts();
  if (module.items.length === 0) return null;
  const Template = templates[module.template] ?? TilesTemplate;
  const heading = `catalog-module-${module.id}`;
  const timed = module.template === ZoneTemplate.Timed;
  return (
    <section className={timed ? 'catalog-module catalog-module--timed' : 'catalog-module'} aria-labelledby={heading}>
      <header className="catalog-module__head ui-row ui-wrap ui-gap-2 ui-spread">
        <div>
          <h2 id={heading}>{module.title}</h2>
          {module.subtitle && <p className="ui-muted">{module.subtitle}</p>}
        </div>
        {module.countdown_end && (
          <span className="catalog-module__timer ui-push">
            <span>{t('home.endsIn')}</span>
            <Countdown until={module.countdown_end} onEnd={onEnd} />
          </span>
        )}
        {module.more_link && (
          <Link
            to={listAddress(module.more_link)}
            className="catalog-module__more ui-push ui-muted"
            aria-label={`${t('home.more')} ${module.title}`}
          >
            {t('home.more')}
            <Icon name="chevron-right" size={16} />
          </Link>
        )}
      </header>
      <Template module={module} />
    </section>
  );
}
