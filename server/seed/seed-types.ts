/** The shape of the files in this folder. FORMAT.md explains the meaning; seed.test.ts holds them to it. */
import type { Currency, Language } from '@shop/shared/domain';
import type { StockType } from '@shop/shared/domain/lists';

/** A text in every language of the shop. Both are always there. */
export interface Text {
  'zh-CN': string;
  en: string;
}

/** An amount in major units with exactly two decimals ("12.34") for each currency of the shop. */
export interface Money {
  CNY: string;
  USD: string;
}

/** A logical name in media/manifest.json, such as "goods/genshin-card". */
export type MediaName = string;

export interface SeedCategory {
  key: string;
  name: Text;
  icon: MediaName;
  sort: number;
}

export interface SeedSpec {
  key: string;
  name: Text;
  /** What the buyer gets, without a unit: "648", "30". Shown beside the name, never calculated with. */
  face_value: string;
  prices: Money;
  original_prices?: Money;
  max_qty: number;
  /** How many units (card-code goods: how many codes to generate); 0 is sold out, null is without a limit. */
  stock: number | null;
}

export interface SeedCustom {
  min: number;
  max: number;
  step: number;
  /** The price of ONE unit, two decimals. Total = unit price x custom value. */
  unit_price: Money;
  unit: Text;
}

export interface SeedFieldOption {
  value: string;
  label: Text;
  /** Only offered when the field named by depends_on has one of these values. */
  when?: string[];
}

export interface SeedField {
  key: string;
  label: Text;
  type: 'text' | 'number' | 'select' | 'password';
  required: boolean;
  /** Source of a JavaScript RegExp, anchored. */
  pattern?: string;
  min_len?: number;
  max_len?: number;
  options?: SeedFieldOption[];
  /** Key of the earlier field that this field's options hang on. */
  depends_on?: string;
  help: Text;
  /** Whether the value may be kept as a saved account. Never true for a password. */
  remember: boolean;
}

export interface SeedLimits {
  min: number;
  max: number;
  /** null: no such limit. */
  per_user: number | null;
  per_day: number | null;
}

export interface SeedGoods {
  key: string;
  name: Text;
  /** Words that find the goods besides the name: full pinyin, pinyin initials, nicknames, abbreviations. Lower case. */
  aliases: string[];
  category: string;
  /** A-Z, or # for a name that starts with a digit. */
  initial: string;
  /** 1 card-code, 2 direct, 3 proxy, 4 manual */
  recharge_type: 1 | 2 | 3 | 4;
  stock_type: StockType;
  /** 1 on shelf, 2 off shelf, 3 VIP shelf */
  status: 1 | 2 | 3;
  /** 1 several face values (specs), 2 custom face value (custom) */
  spec_type: 1 | 2;
  tags: Text[];
  image: MediaName;
  description_html: Text;
  notice: Text;
  /** Where and how to use what is bought: one step a line. */
  redeem: Text;
  specs: SeedSpec[];
  custom: SeedCustom | null;
  fields: SeedField[];
  limits: SeedLimits;
  need_verify_account: boolean;
  sort: number;
}

/** 0 none, 1 goods (goods key), 2 list ("category=<key>" or ""), 3 article (article id), 4 https address */
export type LinkType = 0 | 1 | 2 | 3 | 4;

export interface SeedBanner {
  key: string;
  title: Text;
  image: MediaName;
  image_alt: Text;
  channel: 4;
  link_type: LinkType;
  link_value: string;
  sort: number;
  status: 1 | 2;
}

export interface SeedModuleItem {
  kind: 'goods' | 'category' | 'link';
  /** kind goods: name, picture, price come from the goods; whatever stands here overrides. */
  goods?: string;
  category?: string;
  title?: Text;
  image?: MediaName;
  tag?: Text;
  link_type: LinkType;
  link_value: string;
}

export interface SeedModule {
  key: string;
  channel: 3;
  template: 1 | 2 | 3 | 4 | 5 | 6;
  title: Text;
  subtitle: Text;
  sort: number;
  more_link: string | null;
  /** Template 6: the countdown ends this many hours after the seed is loaded, and is renewed when it has passed. */
  countdown_hours?: number;
  items: SeedModuleItem[];
}

export interface SeedCoupon {
  key: string;
  name: Text;
  /** 10 reduction, 20 discount */
  coupon_type: 10 | 20;
  /** Type 10. A currency that is missing makes the coupon unavailable in it. */
  reduce_price?: Partial<Money>;
  /** Type 20: the share that is paid, in tenths with up to one decimal ("8.5" = 8.5折 = 15% off). */
  discount?: string;
  /** "0.00" is without a threshold. The currencies that stand here are the ones the coupon has a row for. */
  min_price: Partial<Money>;
  /** 10 for expire_day days from receipt, 20 from starts_in_days to ends_in_days, counted from the day of the seed. */
  expire_type: 10 | 20;
  expire_day?: number;
  starts_in_days?: number;
  ends_in_days?: number;
  /** 10 all goods, 20 the goods in items */
  apply_range: 10 | 20;
  items: string[];
  /** How many may be received in all; null: no limit. */
  total: number | null;
  /** Already received when the seed is loaded. */
  received: number;
  per_user: number;
  /** 1 enabled, 2 disabled */
  status: 1 | 2;
  /** Offered to every signed-in user by /coupon/check. */
  offer: boolean;
  /** Code for receiveByCode, trimmed and upper case; null: not to be had by a code. */
  redeem_code: string | null;
}

export interface SeedArticle {
  id: 'agreement' | 'guide' | 'privacy';
  title: Text;
  content_html: Text;
  updated_at: string;
  sort: number;
}

export interface SeedConfig {
  brand: Text;
  logo: MediaName;
  customer_qrcode: MediaName;
  work_time: Text;
  customer_link: string;
  customer_email: string;
  icp: Text;
  copyright: Text;
  sms: 0 | 1;
  game_website_url: string;
  social: Array<{ key: string; name: Text; url: string }>;
  avatars: MediaName[];
  error_image: MediaName;
  order_expire_minutes: number;
  recharge: Record<Currency, { options: string[]; min: string; max: string }>;
}

export interface SeedSearchHot {
  /** The words of each language, most wanted first. */
  words: Record<Language, string[]>;
}

export interface MediaFile {
  file: string;
  width: number;
  height: number;
  bytes: number;
}

export type MediaManifest = Record<MediaName, MediaFile>;
