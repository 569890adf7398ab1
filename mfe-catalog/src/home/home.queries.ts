import { CarouselChannel, ZoneChannel } from '@shop/shared/domain';
import { get } from '@shop/shared/http';
import { queryOptions } from '@shop/shared/query';

export const bannersQuery = queryOptions({
  queryKey: ['catalog', 'banners'],
  queryFn: () => get('/api/front/swiper/list', { channel: CarouselChannel.NewMobile }, { quiet: true }),
});

export const modulesQuery = queryOptions({
  queryKey: ['catalog', 'modules'],
  queryFn: () => get('/api/front/customModule/list', { channel: ZoneChannel.NewMobile }, { quiet: true }),
});
