import type { StaffGoods } from '@shop/server/catalogue/goods.store';
import { GoodsStatus, RechargeType, SpecType } from '@shop/shared/domain';

const none = { 'zh-CN': '', en: '' };

/** A new product, hidden and without limits: what the form of the console starts with, and what an import need not name. */
export const goodsDefaults: Omit<StaffGoods, 'name' | 'category'> = {
  status: GoodsStatus.OffShelf,
  recharge_type: RechargeType.CardCode,
  stock_type: 'stock',
  aliases: [],
  initial: '#',
  tags: [],
  image: '',
  images: [],
  description_html: none,
  notice: none,
  redeem: none,
  spec_type: SpecType.FaceValues,
  specs: [],
  custom: null,
  fields: [],
  limits: { min: 1, max: 99, per_user: null, per_day: null },
  need_verify_account: false,
  sort: 1000,
};
