import { renderPage, type StubbedAnswers } from '@shop/shared/testing';
import { aPreview, goodsFixture } from '../common/fixtures';
import * as page from '../goods-detail/goods-detail-page';

export const created = { order_no: 'N1234567890' };

export const open = (api: StubbedAnswers = {}, session: object = {}, path = '/goods/7') =>
  renderPage(page, {
    path,
    route: '/goods/:id',
    session,
    api: {
      'GET /api/front/goods/info': goodsFixture(),
      'POST /api/front/order/preview': aPreview(),
      'GET /api/front/user/gameAccount': [],
      'POST /api/front/user/gameAccount': {},
      'POST /api/front/order/create': created,
      ...api,
    },
  });
