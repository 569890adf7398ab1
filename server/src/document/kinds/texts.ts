import { RechargeType } from '@shop/shared/domain';
import type { Locale } from '../../platform/http/schemas';

/** The names of kinds and the title of missing pages repeat those of mfe-catalog/src/texts.ts. */
const chinese = {
  allGames: '全部游戏',
  gone: '找不到这个商品',
  price: (name: string, price: string) => `${name}，${price}。`,
  from: (name: string, price: string) => `${name}，${price} 起。`,
  list: (names: string) => `${names}：充值与点卡，明码标价，付款后自动到账或立即发卡。`,
  kinds: {
    [RechargeType.CardCode]: '卡密',
    [RechargeType.Direct]: '直充',
    [RechargeType.Proxy]: '代充',
    [RechargeType.Manual]: '人工服务',
  },
};

export const texts: Record<Locale, typeof chinese> = {
  'zh-CN': chinese,
  en: {
    allGames: 'All games',
    gone: 'Product not found',
    price: (name, price) => `${name} for ${price}. `,
    from: (name, price) => `${name} from ${price}. `,
    list: (names) => `${names}: top-ups and cards at clear prices, delivered right after payment.`,
    kinds: {
      [RechargeType.CardCode]: 'Card code',
      [RechargeType.Direct]: 'Direct top-up',
      [RechargeType.Proxy]: 'We top up for you',
      [RechargeType.Manual]: 'Manual service',
    },
  },
};
