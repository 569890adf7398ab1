import type { CustomModule } from '@shop/server/wire';
import { ZoneTemplate } from '@shop/shared/domain';
import { Link } from '@shop/shared/router';
import { Countdown, Icon } from '@shop/shared/ui';
import type { ComponentType } from 'react';
import { listAddress } from '../common/link-target';
import { useTexts } from '../texts';
import { BannersTemplate } from './templates/banners-template';
import { CardsTemplate } from './templates/cards-template';
import { GridTemplate } from './templates/grid-template';
import { RankingTemplate } from './templates/ranking-template';
import { ScrollerTemplate } from './templates/scroller-template';
import type { TemplateProps } from './templates/template-props';
import { TimedTemplate } from './templates/timed-template';

const templates: Record<number, ComponentType<TemplateProps>> = {
  [ZoneTemplate.IconGrid]: GridTemplate,
  [ZoneTemplate.Scroller]: ScrollerTemplate,
  [ZoneTemplate.TwoColumns]: CardsTemplate,
  [ZoneTemplate.Banners]: BannersTemplate,
  [ZoneTemplate.Ranking]: RankingTemplate,
  [ZoneTemplate.Timed]: TimedTemplate,
};

/** One module of the home page. An unknown template renders as two-column cards (docs/product.md#catalogue). */
export function HomeModule({ module, onEnd }: { module: CustomModule; onEnd: () => void }) {
  const { t } = useTexts();
  if (module.items.length === 0) return null;
  const Template = templates[module.template] ?? CardsTemplate;
  const heading = `catalog-module-${module.id}`;
  const timed = module.template === ZoneTemplate.Timed;
  return (
    <section className={timed ? 'catalog-module catalog-module--timed' : 'catalog-module'} aria-labelledby={heading}>
      <header className="catalog-module__head ui-row ui-gap-2 ui-spread">
        <div>
          <h2 id={heading}>{module.title}</h2>
          {module.subtitle && <p>{module.subtitle}</p>}
        </div>
        {module.countdown_end && (
          <span className="catalog-module__timer">
            <span>{t('home.endsIn')}</span>
            <Countdown until={module.countdown_end} onEnd={onEnd} />
          </span>
        )}
        {module.more_link && (
          <Link
            to={moreAddress(module.more_link)}
            className="catalog-module__more"
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

/** A path inside the shop, or the query of the goods list. */
function moreAddress(link: string): string {
  return link.startsWith('/') && !link.startsWith('//') ? link : listAddress(link);
}
