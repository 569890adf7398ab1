import type { StaffGoods } from '@shop/backoffice/wire';
import { GoodsStatus, RechargeType, SpecType } from '@shop/shared/domain';
import { stockTypes as kinds } from '@shop/shared/domain/lists';
import { none } from '../edits/editor';
import { customRules, goodsRules, orderFieldRules, specRules, stepRules } from '../generated/field-rules';
import type { FieldSpec } from '../kit/fields';
import type { Key } from './goods-texts';

type GoodsField = FieldSpec<StaffGoods, Key>;
export type Spec = StaffGoods['specs'][number];
export type Step = NonNullable<Spec['steps']>[number];
export type OrderField = StaffGoods['fields'][number];

export const MOST_STEPS = 10;
/** With the mark of a copy it has 100 characters. */
const LONGEST_NAME = 93;

const suppliers = kinds.filter((kind) => kind !== 'stock');
export const stockTypes = (current: string) => [
  { value: 'stock', label: current },
  ...suppliers.map((supplier) => ({ value: supplier, label: supplier })),
];

const linesOf = (text: string, separator: RegExp) =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter(Boolean);
const joined = (separator: string) => (value: unknown) => (Array.isArray(value) ? value.join(separator) : '');

export const name: GoodsField[] = [
  { kind: 'texts', name: 'name', label: 'name', ...goodsRules.name },
  {
    kind: 'select',
    name: 'status',
    label: 'status',
    options: { onShelf: GoodsStatus.OnShelf, vip: GoodsStatus.VipShelf, offShelf: GoodsStatus.OffShelf },
  },
  { kind: 'select', name: 'category', label: 'category' },
  {
    kind: 'select',
    name: 'recharge_type',
    label: 'kind',
    options: {
      card: RechargeType.CardCode,
      direct: RechargeType.Direct,
      proxy: RechargeType.Proxy,
      manual: RechargeType.Manual,
    },
  },
];
export const stockType: GoodsField = { kind: 'select', name: 'stock_type', label: 'stockType' };
export const search: GoodsField[] = [
  { kind: 'number', name: 'sort', label: 'position', hint: 'positionHint', ...goodsRules.sort },
  { name: 'initial', label: 'initial', ...goodsRules.initial, maxLength: 1, filter: (text) => text.toUpperCase() },
  {
    kind: 'list',
    name: 'aliases',
    label: 'aliases',
    hint: 'aliasesHint',
    list: { parse: (text) => linesOf(text, /[,，\n]/), format: joined(', ') },
  },
  { kind: 'list', name: 'tags', label: 'tags', hint: 'tagsHint', list: { parse: tagsOf, format: tagLines } },
  { kind: 'check', name: 'need_verify_account', label: 'verify' },
];
export const words: GoodsField[] = [
  { kind: 'texts', name: 'description_html', label: 'description', rows: 6, ...goodsRules.description_html },
  { kind: 'texts', name: 'notice', label: 'notice', rows: 3, ...goodsRules.notice },
  { kind: 'texts', name: 'redeem', label: 'redeem', rows: 3, ...goodsRules.redeem },
];
export const pictures: GoodsField[] = [
  { kind: 'picture', name: 'image', label: 'image', picture: 'goods' },
  {
    kind: 'list',
    name: 'images',
    label: 'images',
    hint: 'imagesHint',
    list: { parse: (text) => linesOf(text, /\n/), format: joined('\n') },
  },
];
export const limits: GoodsField[] = [
  { kind: 'number', name: 'limits.min', label: 'perOrderMin', ...goodsRules['limits.min'] },
  { kind: 'number', name: 'limits.max', label: 'perOrderMax', ...goodsRules['limits.max'] },
  { kind: 'number', name: 'limits.per_user', label: 'perUser', hint: 'noLimitHint', ...goodsRules['limits.per_user'] },
  { kind: 'number', name: 'limits.per_day', label: 'perDay', hint: 'noLimitHint', ...goodsRules['limits.per_day'] },
];
export const mode: GoodsField[] = [
  {
    kind: 'select',
    name: 'spec_type',
    label: 'mode',
    options: { values: SpecType.FaceValues, custom: SpecType.Custom },
  },
];

const price = specRules['prices.CNY'];
const inCNY = { currency: 'CNY' };
const inUSD = { currency: 'USD' };
export const spec: FieldSpec<Spec, Key>[] = [
  { name: 'key', label: 'specKey', ...specRules.key },
  { name: 'face_value', label: 'value', ...specRules.face_value },
  { kind: 'texts', name: 'name', label: 'specName', ...specRules.name },
];
// Without a discount both prices are the same.
export const specPrices: FieldSpec<Spec, Key>[] = [
  { kind: 'price', name: 'prices.CNY', label: 'price', values: inCNY, twin: 'original_prices.CNY', ...price },
  { kind: 'price', name: 'original_prices.CNY', label: 'original', values: inCNY, ...price },
  { kind: 'price', name: 'prices.USD', label: 'price', values: inUSD, twin: 'original_prices.USD', ...price },
  { kind: 'price', name: 'original_prices.USD', label: 'original', values: inUSD, ...price },
  { kind: 'number', name: 'max_qty', label: 'perOrderMax', ...specRules.max_qty },
];
export const step: FieldSpec<Step, Key>[] = [
  { kind: 'number', name: 'from', label: 'stepFrom', ...stepRules.from },
  { kind: 'price', name: 'prices.CNY', label: 'price', values: inCNY, ...stepRules['prices.CNY'] },
  { kind: 'price', name: 'prices.USD', label: 'price', values: inUSD, ...stepRules['prices.CNY'] },
];
export const custom: FieldSpec<NonNullable<StaffGoods['custom']>, Key>[] = [
  { kind: 'texts', name: 'unit', label: 'unit', ...customRules.unit },
  { kind: 'number', name: 'min', label: 'min', ...customRules.min },
  { kind: 'number', name: 'max', label: 'max', ...customRules.max },
  { kind: 'number', name: 'step', label: 'step', ...customRules.step },
  { kind: 'price', name: 'unit_price.CNY', label: 'unitPrice', values: inCNY, ...price },
  { kind: 'price', name: 'unit_price.USD', label: 'unitPrice', values: inUSD, ...price },
];

/** The options of a select come from an import, so only an imported field can be one. */
export const typesOf = ({ options }: OrderField): Array<OrderField['type'] & Key> =>
  options?.length ? ['text', 'number', 'password', 'select'] : ['text', 'number', 'password'];
export const orderField: FieldSpec<OrderField, Key>[] = [
  { kind: 'texts', name: 'label', label: 'fieldLabel', ...orderFieldRules.label },
  { name: 'key', label: 'specKey', ...orderFieldRules.key },
  { kind: 'select', name: 'type', label: 'fieldType' },
  {
    name: 'pattern',
    label: 'fieldPattern',
    hint: 'patternHint',
    ...orderFieldRules.pattern,
    spellCheck: false,
    optional: true,
  },
  { kind: 'check', name: 'required', label: 'required' },
  { kind: 'check', name: 'remember', label: 'remember' },
];

const steps = { name: 'steps', label: 'stepFrom' as const, fields: step };
export const names = [
  stockType,
  ...mode,
  { name: 'limits', label: 'limits' as const },
  ...custom.map((field) => ({ ...field, name: `custom.${field.name}` })),
  { name: 'custom', label: 'custom' as const },
  { name: 'specs', label: 'pricing' as const, item: 'spec' as const, fields: [...spec, ...specPrices, steps] },
  { name: 'fields', label: 'form' as const, item: 'field' as const, fields: orderField },
];

export const freshGoods = (category: string): StaffGoods => ({
  name: none,
  category,
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
  specs: [freshSpec([])],
  custom: null,
  fields: [],
  limits: { min: 1, max: 99, per_user: null, per_day: null },
  need_verify_account: false,
  sort: 1000,
});

/** A draft like a product, off sale. Its stock and codes are those of a new product. */
export const copyOf = ({ name, ...goods }: StaffGoods): StaffGoods => ({
  ...goods,
  name: {
    'zh-CN': `${name['zh-CN'].slice(0, LONGEST_NAME)}（副本）`,
    en: `${name.en.slice(0, LONGEST_NAME)} (copy)`,
  },
  status: GoodsStatus.OffShelf,
});

export function freshSpec(specs: readonly Spec[]): Spec {
  const keys = new Set(specs.map(({ key }) => key));
  let number = specs.length + 1;
  while (keys.has(String(number))) number += 1;
  return { key: String(number), name: none, face_value: '', prices: {}, original_prices: {}, steps: [], max_qty: 99 };
}

function tagsOf(text: string): StaffGoods['tags'] {
  return text.split('\n').flatMap((line) => {
    const [zh = '', en = ''] = line.split('|').map((part) => part.trim());
    return zh || en ? [{ 'zh-CN': zh, en: en || zh }] : [];
  });
}
function tagLines(tags: unknown): string {
  return (tags as StaffGoods['tags']).map((tag) => `${tag['zh-CN']} | ${tag.en}`).join('\n');
}
