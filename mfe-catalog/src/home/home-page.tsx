import { preload, usePageData } from '@shop/shared/query';
import { Button, Empty, ErrorState, Icon, PageBody, PullToRefresh, VisuallyHidden } from '@shop/shared/ui';
import { InsideLink } from '../common/shop-link';
import { useTexts } from '../texts';
import { Banners } from './banners';
import { bannersKey, fetchBanners, fetchModules, modulesKey } from './home.api';
import { HomeModule } from './home-module';
import { ModulesSkeleton } from './modules-skeleton';
import { TrustBadges } from './trust-badges';
import './home.css';

export function loader(): null {
  preload(bannersKey, fetchBanners);
  preload(modulesKey, fetchModules);
  return null;
}

export function Component() {
  const { t } = useTexts();
  const banners = usePageData(bannersKey, fetchBanners);
  const modules = usePageData(modulesKey, fetchModules);
  const refresh = async () => {
    await Promise.all([banners.refresh(), modules.refresh()]);
  };

  return (
    <PullToRefresh onRefresh={refresh}>
      <PageBody>
        <div className="catalog-home">
          <VisuallyHidden as="h1">{t('home.title')}</VisuallyHidden>
          <InsideLink to="/search" className="catalog-home__search">
            <Icon name="search" size={20} />
            <span>{t('home.search')}</span>
          </InsideLink>
          <div className="catalog-home__hero">
            <Banners banners={banners} />
            <TrustBadges />
          </div>
          {modules.error && !modules.data ? (
            <ErrorState error={modules.error} onRetry={() => void modules.refresh()} />
          ) : !modules.data ? (
            <ModulesSkeleton />
          ) : modules.data.length === 0 ? (
            <Empty art="box" title={t('home.empty')} action={<Button to="/goods">{t('allGames')}</Button>} />
          ) : (
            [...modules.data]
              .sort((left, right) => left.sort - right.sort)
              .map((module) => <HomeModule key={module.id} module={module} onEnd={() => void modules.refresh()} />)
          )}
        </div>
      </PageBody>
    </PullToRefresh>
  );
}
