import type { CustomModule, Swiper } from '@shop/server/wire';
import { CarouselChannel, ZoneChannel } from '@shop/shared/domain';
import { get } from '@shop/shared/http';
import type { PageKey } from '@shop/shared/query';

export const bannersKey: PageKey = ['catalog', 'banners'];
export function fetchBanners(): Promise<Swiper[]> {
  return get('/api/front/swiper/list', { channel: CarouselChannel.NewMobile });
}

export const modulesKey: PageKey = ['catalog', 'modules'];
export function fetchModules(): Promise<CustomModule[]> {
  return get('/api/front/customModule/list', { channel: ZoneChannel.NewMobile });
}
