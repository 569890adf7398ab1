import { CarouselChannel, ZoneChannel } from '@shop/shared/domain';
import { getQuery, retryImport } from '@shop/shared/http';
import { linkTo } from '@shop/shared/links';
import { prefetch, type UseQueryResult, useQuery } from '@shop/shared/query';
import { Link } from '@shop/shared/router';
import { useSession } from '@shop/shared/session';
import { observer } from '@shop/shared/state';
import { Carousel, ErrorState, Icon, PageBody, Picture, Skeleton, VisuallyHidden } from '@shop/shared/ui';
import { Fragment, lazy, Suspense } from 'react';
import { useTexts } from '../texts';
import { HomeModule } from './home-module';
import './home.css';
import type { Swiper } from '@shop/server/wire';
import { ShopLink } from '../common/shop-link';

const bannersQuery = getQuery('/api/front/swiper/list', ['catalog', 'banners'], {
  channel: CarouselChannel.NewMobile,
});
const modulesQuery = getQuery('/api/front/customModule/list', ['catalog', 'modules'], {
  channel: ZoneChannel.NewMobile,
});

function Banners({ banners }: { banners: UseQueryResult<Swiper[]> }) {
  const { t } = useTexts();
  if (banners.data ? banners.data.length === 0 : banners.error) return null;
  return (
    <div className="catalog-banners">
      {banners.data ? (
        <Carousel
          label={t('home.banners')}
          items={banners.data}
          renderItem={(banner, index) => (
            <ShopLink type={banner.link_type} value={banner.link_value} className="catalog-banner">
              <Picture
                src={banner.image}
                alt={banner.image_alt || banner.title}
                width={1024}
                height={448}
                // The first banner is the largest contentful paint: no lazy loading.
                lazy={index > 0}
              />
              <span className="catalog-banner__title">{banner.title}</span>
            </ShopLink>
          )}
        />
      ) : (
        <div className="catalog-banner">
          <Skeleton shape="block" width="100%" height="100%" />
        </div>
      )}
    </div>
  );
}

const promises = [
  { icon: 'bolt', text: 'home.trustFast' },
  { icon: 'lock', text: 'home.trustSafe' },
  { icon: 'support', text: 'home.trustHelp' },
] as const;

function TrustBadges() {
  const { t } = useTexts();
  return (
    <ul className="catalog-trust-badges" aria-label={t('home.trustBadges')}>
      {promises.map(({ icon, text }) => (
        <li key={text} className="ui-row ui-gap-1">
          <Icon name={icon} size={18} />
          {t(text)}
        </li>
      ))}
    </ul>
  );
}

const grid = [1, 2, 3, 4, 5, 6, 7, 8];
const cards = [1, 2, 3, 4];

function ModulesSkeleton() {
  return (
    <div aria-hidden="true" className="ui-stack ui-gap-5">
      <div className="ui-card catalog-grid">
        {grid.map((place) => (
          <div key={place} className="catalog-grid__item ui-row ui-gap-1">
            <Skeleton shape="block" width="52px" height="52px" />
            <Skeleton shape="text" width="60%" />
          </div>
        ))}
      </div>
      <div className="catalog-tiles">
        {cards.map((place) => (
          <div key={place} className="catalog-tile">
            <Skeleton className="catalog-tile__cover" />
            <Skeleton shape="text" width="80%" />
            <Skeleton shape="text" width="40%" />
          </div>
        ))}
      </div>
    </div>
  );
}

const AllGoods = lazy(() => retryImport(() => import('./all-goods')));
/** A constant element, so that a render of the page does not replace the hydrated content before its code has loaded. */
const allGoods = (
  <Suspense fallback={<ModulesSkeleton />}>
    <AllGoods />
  </Suspense>
);

const BoughtLately = lazy(() => retryImport(() => import('./bought-lately')));

/** Placed after two modules: content after the first render is below the first screen and moves nothing on it. */
const ForShoppers = observer(function ForShoppers() {
  return (
    useSession().hasUser && (
      <Suspense fallback={null}>
        <BoughtLately />
      </Suspense>
    )
  );
});

export function loader(): void {
  prefetch(bannersQuery);
  prefetch(modulesQuery);
}

export function Component() {
  const { t } = useTexts();
  const banners = useQuery(bannersQuery);
  const modules = useQuery(modulesQuery);
  return (
    <PageBody className="catalog-home ui-stack ui-gap-5">
      <VisuallyHidden as="h1">{t('home.title')}</VisuallyHidden>
      <Link to={linkTo('search')} className="catalog-home__search ui-row ui-gap-2">
        <Icon name="search" size={20} />
        <span>{t('home.search')}</span>
      </Link>
      <div className="ui-stack ui-gap-4">
        <Banners banners={banners} />
        <TrustBadges />
      </div>
      {modules.error && !modules.data ? (
        <ErrorState error={modules.error} onRetry={() => void modules.refetch()} />
      ) : !modules.data ? (
        <ModulesSkeleton />
      ) : modules.data.length === 0 ? (
        allGoods
      ) : (
        modules.data.map((module, index, { length }) => (
          <Fragment key={module.id}>
            <HomeModule module={module} onEnd={() => void modules.refetch()} />
            {index === Math.min(2, length) - 1 && <ForShoppers />}
          </Fragment>
        ))
      )}
    </PageBody>
  );
}
