/** The rules of fields that the console's forms derive from the schemas of their requests. `npm run calls -w server` writes them. */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import {
  BatchSchema,
  CodesQuerySchema,
  ShareCodeBodySchema,
  StockSaveBodySchema,
  VoidCodesBodySchema,
} from '@shop/backoffice/catalogue/codes.schemas';
import { StaffLevelSchema } from '@shop/backoffice/catalogue/levels.service';
import { CloseEnquiryBodySchema } from '@shop/backoffice/orders/enquiries.routes';
import { NoteBodySchema } from '@shop/backoffice/orders/find.schemas';
import { StaffHoldSettingsSchema } from '@shop/backoffice/orders/holds.service';
import { OrderFilterSchema } from '@shop/backoffice/orders/list.schemas';
import { AskBodySchema, DeliverBodySchema } from '@shop/backoffice/orders/queue.service';
import { StaffRefundBodySchema } from '@shop/backoffice/orders/refunds.service';
import { GiveCouponBodySchema } from '@shop/backoffice/orders/shopper.service';
import { WalletActBodySchema } from '@shop/backoffice/orders/wallet.service';
import { StaffArticleSchema } from '@shop/backoffice/shop/articles.service';
import type { TSchema } from 'typebox';
import { StaffGoodsSchema } from '../../src/catalogue/goods.store';
import { StaffBannerSchema, StaffModuleSchema } from '../../src/catalogue/storefront.store';
import { StaffCouponSchema } from '../../src/coupons/coupons.store';
import type { Shape } from '../support/routes';

const root = path.join(__dirname, '../../..');
const { properties: goods } = StaffGoodsSchema;

/** The fields of each form of the console, and the schema of its request. */
const forms: Record<string, [schema: TSchema, ...paths: string[]]> = {
  article: [StaffArticleSchema, 'title', 'content', 'sort'],
  stock: [StockSaveBodySchema, 'low_stock', 'add'],
  freeCodes: [CodesQuerySchema, 'tail'],
  voidCodes: [VoidCodesBodySchema, 'reason'],
  shareCode: [ShareCodeBodySchema, 'text', 'stock'],
  batch: [BatchSchema, 'name', 'supplier', 'cost'],
  coupon: [StaffCouponSchema, 'name', 'percent', 'amounts.CNY.min_price', 'expire_day', 'total', 'redeem_code'],
  goods: [
    StaffGoodsSchema,
    'name',
    'initial',
    'description_html',
    'notice',
    'redeem',
    'sort',
    'limits.min',
    'limits.max',
    'limits.per_user',
    'limits.per_day',
  ],
  spec: [goods.specs.items, 'key', 'name', 'face_value', 'prices.CNY', 'max_qty'],
  step: [goods.specs.items.properties.steps.items, 'from', 'prices.CNY'],
  custom: [goods.custom, 'min', 'max', 'step', 'unit'],
  orderField: [goods.fields.items, 'key', 'label', 'pattern'],
  banner: [StaffBannerSchema, 'title', 'image_alt', 'sort'],
  module: [StaffModuleSchema, 'subtitle', 'countdown_hours'],
  item: [StaffModuleSchema.properties.items.items, 'title'],
  level: [StaffLevelSchema, 'name', 'rank', 'percent', 'thresholds.CNY', 'period_days'],
  levelPrice: [StaffLevelSchema.properties.prices.items, 'prices.CNY'],
  hold: [StaffHoldSettingsSchema, 'from.CNY', 'new_account_hours', 'codes_per_hour', 'countries', 'minutes'],
  refund: [StaffRefundBodySchema, 'amount', 'reason'],
  walletAct: [WalletActBodySchema, 'amount'],
  orderFilter: [OrderFilterSchema, 'amount_from', 'amount_to'],
  question: [AskBodySchema, 'question'],
  delivery: [DeliverBodySchema, 'note'],
  note: [NoteBodySchema, 'note'],
  enquiry: [CloseEnquiryBodySchema, 'answer'],
  gift: [GiveCouponBodySchema, 'coupon'],
};

type Rules = Record<string, string | number | true>;

/** The browser compiles the pattern with the flag v, and anchors it itself. */
function browserPattern(pattern: string): string {
  const inV = pattern.replace(/^\^(.*)\$$/, '$1').replaceAll('-]', '\\-]');
  new RegExp(`^(?:${inV})$`, 'v');
  return inV;
}

function rulesOf(shape: Shape, isRequired: boolean): Rules {
  const { type, minLength = 0, maxLength, pattern, minimum, maximum } = shape;
  const isFilled = type === 'integer' || minLength > 0 || (pattern !== undefined && !new RegExp(pattern, 'u').test(''));
  return {
    // Every form already requires more than spaces in a required field.
    ...(pattern !== undefined && pattern !== '\\S' && { pattern: browserPattern(pattern) }),
    ...(minLength > 1 && { minLength }),
    ...(maxLength !== undefined && { maxLength }),
    ...(minimum !== undefined && { min: minimum }),
    ...(maximum !== undefined && { max: maximum }),
    ...(isRequired && isFilled && { required: true }),
  };
}

export function fieldRules(schema: TSchema, at: string): Rules {
  let shape = schema as Shape;
  let isRequired = true;
  const open = (field: Shape): Shape => {
    const alternative = (field.anyOf as Shape[] | undefined)?.find(({ type }) => type !== 'null');
    if (!alternative) return field;
    isRequired = false;
    return alternative;
  };
  for (const name of at.split('.')) {
    const { properties, required } = open(shape);
    const part = properties?.[name] as Shape | undefined;
    if (!part) throw new Error(`no schema has the field ${at} of a form`);
    isRequired = required?.includes(name) ?? false;
    shape = part;
  }
  shape = open(shape);
  return rulesOf((shape.properties?.['zh-CN'] as Shape | undefined) ?? shape, isRequired);
}

export const rulesFile = path.join(root, 'backoffice/console/src/generated/field-rules.ts');

export function rulesText(): string {
  const rules = Object.entries(forms).map(([form, [schema, ...paths]]) => {
    const fields = Object.fromEntries(paths.map((at) => [at, fieldRules(schema, at)]));
    return `export const ${form}Rules = ${JSON.stringify(fields)} as const;`;
  });
  const text = `// Written by \`npm run calls -w server\` from the schemas; calls.test.ts keeps it so.\n\n${rules.join('\n')}\n`;
  return formatted(rulesFile, text);
}

/** The text as biome formats it in this file. */
export function formatted(file: string, input: string): string {
  const biome = path.join(root, 'node_modules/.bin/biome');
  return execFileSync(biome, ['check', '--write', `--stdin-file-path=${file}`], { input, encoding: 'utf8' });
}
