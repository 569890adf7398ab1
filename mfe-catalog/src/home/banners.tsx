import type { Swiper } from '@shop/server/wire';
import type { UseQueryResult } from '@shop/shared/query';
import { Carousel, Picture, Skeleton } from '@shop/shared/ui';
import { ShopLink } from '../common/shop-link';
import { useTexts } from '../texts';

export function Banners({ banners }: { banners: UseQueryResult<Swiper[]> }) {
  const { t } = useTexts();
  if (!banners.data) {
    if (banners.error) return null;
    return (
      <div className="catalog-banners">
        <div className="catalog-banner">
          <Skeleton shape="block" width="100%" height="100%" />
        </div>
      </div>
    );
  }
  if (banners.data.length === 0) return null;
  const items = [...banners.data].sort((left, right) => left.sort - right.sort);
  return (
    <div className="catalog-banners">
      <Carousel
        label={t('home.banners')}
        items={items}
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
    </div>
  );
}
