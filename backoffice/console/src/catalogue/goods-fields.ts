import { goodsDefaults } from '@shop/backoffice/catalogue/goods-defaults';
import type { StaffGoods } from '@shop/backoffice/wire';
import { GoodsStatus, RechargeType, SpecType } from '@shop/shared/domain';
import { stockTypes as kinds } from '@shop/shared/domain/lists';
import { none } from '../edits/editor';
import { customRules, goodsRules, orderFieldRules, specRules, stepRules } from '../generated/field-rules';
import type { FieldSpec } from '../kit/fields';
import { pairTexts } from '../pair-texts';

type GoodsField = FieldSpec<StaffGoods, Key>;
export type Spec = StaffGoods['specs'][number];
export type Step = NonNullable<Spec['steps']>[number];
export type OrderField = StaffGoods['fields'][number];

export const MOST_STEPS = 10;
/** With the mark of a copy it has 100 characters. */
const LONGEST_NAME = 93;

export const stockTypes = (own: string) => kinds.map((kind) => ({ value: kind, label: kind === 'stock' ? own : kind }));

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
  ...goodsDefaults,
  specs: [freshSpec([])],
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

export const { useTexts, t } = pairTexts('staff-goods', {
  add: ['新建商品', 'New product'],
  copy: ['复制商品', 'Copy this product'],
  priceList: ['价格表', 'Price list'],
  empty: ['没有找到商品', 'No products found'],
  count: ['共 {{count}} 件', '{{count}} products', '1 product'],
  listPrice: ['价格', 'Price'],
  inStock: ['库存', 'In stock'],
  noLimit: ['不限库存', 'No stock limit'],
  all: ['返回商品列表', 'All products'],
  newKey: ['商品编号', 'Product key'],
  newKeyHint: [
    '1 至 60 个英文字母、数字或 . _ + -，保存后不能修改',
    '1 to 60 Latin letters, digits or . _ + -; can’t be changed later',
  ],
  onShelf: ['上架', 'On sale'],
  offShelf: ['下架', 'Hidden'],
  vip: ['仅会员可见', 'VIP only'],
  kind: ['发货方式', 'Delivery'],
  card: ['卡密', 'Card code'],
  direct: ['直充', 'Direct top-up'],
  proxy: ['代充', 'Assisted top-up'],
  manual: ['人工发货', 'Manual service'],
  stockType: ['货源', 'Supplier'],
  aliases: ['别名', 'Aliases'],
  aliasesHint: ['用逗号分隔，搜索时使用', 'Separated by commas; used in search'],
  initial: ['首字母', 'First letter'],
  verify: ['下单前校验账号', 'Verify the account before ordering'],
  tags: ['标签', 'Tags'],
  tagsHint: ['每行一个：中文 | 英文', 'One per line: Chinese | English'],
  words: ['说明文字', 'Texts'],
  description: ['商品说明（HTML）', 'Description (HTML)'],
  notice: ['购买须知', 'Before you buy'],
  redeem: ['使用方法', 'How to redeem'],
  pictures: ['图片', 'Pictures'],
  image: ['主图', 'Main picture'],
  images: ['更多图片', 'More pictures'],
  imagesHint: ['每行一个图片地址，例如 /media/abc.webp', 'One URL per line, such as /media/abc.webp'],
  pricing: ['面值与价格', 'Values and prices'],
  prices: ['各面值的价格', 'Prices of all values'],
  mode: ['购买方式', 'Sold as'],
  values: ['固定面值', 'Fixed values'],
  custom: ['自定义数量', 'Any amount'],
  spec: ['面值 {{number}}', 'Value {{number}}'],
  specKey: ['编号', 'Key'],
  specName: ['面值名称', 'Value name'],
  original: ['原价（{{currency}}）', 'Original price ({{currency}})'],
  priceHint: ['价格不填，表示不以该货币出售', 'Leave blank to not sell in that currency'],
  stepsHint: [
    '按数量定价：买得越多，单价越低。每一档的数量递增、单价递减；不低于现价的档位不生效。',
    'Quantity discounts: each step starts at a higher quantity and a lower price. A step that is no lower than the price has no effect.',
  ],
  stepFrom: ['起购数量', 'From quantity'],
  step_from: ['满 {{from}} 件', '{{from}} or more'],
  addStep: ['添加数量价', 'Add a quantity discount'],
  addSpec: ['添加面值', 'Add a value'],
  min: ['最少', 'Minimum'],
  max: ['最多', 'Maximum'],
  step: ['每次增加', 'Step'],
  unit: ['单位', 'Unit'],
  unitPrice: ['单价（{{currency}}）', 'Unit price ({{currency}})'],
  limits: ['限购', 'Limits'],
  perOrderMin: ['每单最少', 'Min per order'],
  perOrderMax: ['每单最多', 'Max per order'],
  perUser: ['每人最多', 'Limit per customer'],
  perDay: ['每人每天最多', 'Daily limit per customer'],
  form: ['下单时填写的内容', 'Order form'],
  field: ['填写项 {{number}}', 'Field {{number}}'],
  fieldLabel: ['名称', 'Label'],
  fieldPattern: ['格式（正则表达式）', 'Pattern (regular expression)'],
  patternHint: [
    '须与整段内容相符；不支持前后断言和反向引用。留空表示不限。',
    'Must match the whole value; no look-around or backreferences. Leave blank to allow any text.',
  ],
  fieldType: ['类型', 'Type'],
  text: ['文字', 'Text'],
  number: ['数字', 'Number'],
  select: ['选项', 'Choice'],
  password: ['密码', 'Password'],
  required: ['必填', 'Required'],
  remember: ['可保存到游戏账号', 'Can be saved with the game account'],
  addField: ['添加填写项', 'Add a field'],
});
export type Key = Parameters<typeof t>[0];
