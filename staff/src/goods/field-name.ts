import { t as editText } from '../edits/texts';
import { t } from './texts';

const names = {
  name: 'name',
  category: 'category',
  status: 'status',
  recharge_type: 'kind',
  stock_type: 'stockType',
  aliases: 'aliases',
  initial: 'initial',
  tags: 'tags',
  image: 'image',
  images: 'images',
  description_html: 'description',
  notice: 'notice',
  redeem: 'redeem',
  spec_type: 'mode',
  specs: 'pricing',
  custom: 'custom',
  fields: 'form',
  limits: 'limits',
  need_verify_account: 'verify',
  sort: 'sort',
  key: 'specKey',
  face_value: 'faceValue',
  max_qty: 'maxQty',
  min: 'min',
  max: 'max',
  step: 'step',
  unit: 'unit',
  label: 'fieldLabel',
  type: 'fieldType',
  required: 'required',
  remember: 'remember',
  per_user: 'perUser',
  per_day: 'perDay',
} as const;
const isNamed = (part: string): part is keyof typeof names => Object.hasOwn(names, part);

/** What a field of a product is called, by its path: "specs.0.prices.CNY" is "Value 1 · Price (CNY)". */
export function fieldName(path: string): string {
  const parts: string[] = [];
  let language: 'zh' | 'en' | undefined;
  const steps = path.split('.');
  for (const [index, step] of steps.entries()) {
    const before = steps[index - 1];
    if (step === 'zh-CN' || step === 'en') language = step === 'en' ? 'en' : 'zh';
    else if (/^\d+$/.test(step)) {
      const number = Number(step) + 1;
      if (before === 'specs') parts.splice(-1, 1, t('spec', { number }));
      else if (before === 'fields') parts.splice(-1, 1, t('field', { number }));
      else parts.push(String(number));
    } else if (step === 'CNY' || step === 'USD') {
      const kind = before === 'original_prices' ? 'original' : before === 'unit_price' ? 'unitPrice' : 'price';
      parts.push(t(kind, { currency: step }));
    } else if (isNamed(step)) parts.push(t(names[step]));
    else if (!/price/.test(step)) parts.push(step);
  }
  const label = parts.join(' · ') || path;
  return language ? editText(language, { label }) : label;
}
