import { currencies, orderValueTexts } from '@shop/shared/domain/lists';
import { Button, Chip, Icon } from '@shop/shared/ui';
import { useRef } from 'react';
import { useApi } from '../api';
import { orderFilterRules } from '../generated/field-rules';
import { ActionForm } from '../kit/action-form';
import { type FieldSpec, labelOf } from '../kit/fields';
import { go } from '../location';
import { pairTexts } from '../pair-texts';
import { shopDay } from '../shop-time';

/** Conditions and the sort by name, as the address and the API have them. */
export type Filter = Readonly<Record<string, string>>;

const selects = [
  ...(['goods', 'value', 'state', 'delivery', 'kind', 'method'] as const),
  ...(['currency', 'supplier', 'coupon', 'level', 'sort'] as const),
];
const fields: FieldSpec<Filter, Key>[] = [
  ...selects.map((name) => ({ kind: 'select', name, label: `field.${name}` }) as const),
  { kind: 'date', name: 'from', label: 'field.from' },
  { kind: 'date', name: 'to', label: 'field.to' },
  { name: 'amount_from', label: 'field.amount_from', ...orderFilterRules.amount_from, inputMode: 'decimal' },
  { name: 'amount_to', label: 'field.amount_to', ...orderFilterRules.amount_to, inputMode: 'decimal' },
];
export const fieldName = (name: string): string => labelOf(fields, listText, name) ?? name;

/** Reads the parts of an address, such as `state=paid`. The server refuses unknown names and values. */
export const filterOf = (place: string[]): Filter =>
  Object.fromEntries(place.filter(Boolean).map((part) => [part.replace(/=.*/, ''), part.replace(/^[^=]*=?/, '')]));

export const placeOf = (filter: Filter): string =>
  ['orders', ...Object.entries(filter).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)].join('/');

/** A value belongs to one product, and amounts are in one currency. */
const dependents: Record<string, string[]> = { goods: ['value'], currency: ['amount_from', 'amount_to', 'sort'] };
const without = (filter: Filter, name: string): Filter =>
  Object.fromEntries(Object.entries(filter).filter(([other]) => other !== name && !dependents[name]?.includes(other)));

function useChoices({ goods }: Filter) {
  const { t } = useTexts();
  const { data } = useApi('GET orders/choices', goods ? { goods } : {}, { inOneLanguage: true });
  const options = (list: ReadonlyArray<{ key: string; name: string }> = []) => [
    { value: '', label: t('any') },
    ...list.map(({ key, name }) => ({ value: key, label: name })),
  ];
  const named = (field: keyof typeof valueTexts) =>
    options(Object.keys(valueTexts[field]).map((key) => ({ key, name: t(`${field}.${key}` as Key) })));
  const choices: Record<string, ReturnType<typeof options>> = {
    goods: options(data?.goods),
    value: options(data?.values),
    state: named('state'),
    delivery: named('delivery'),
    kind: named('kind'),
    method: options(data?.methods),
    currency: options(currencies.map((key) => ({ key, name: key }))),
    supplier: options(data?.suppliers.map((key) => ({ key, name: key === 'stock' ? t('own') : key }))),
    coupon: options(data?.coupons),
    level: options(data?.levels),
    sort: named('sort').slice(1),
  };
  return choices;
}

const periods = [
  { first: 0, last: 0, label: 'today' },
  { first: 1, last: 1, label: 'yesterday' },
  { first: 6, last: 0, label: 'days' },
  { first: 29, last: 0, label: 'days' },
] as const;

interface OrdersFilterProps {
  filter: Filter;
  /** Rejects if the server refuses the filter. */
  onShow(filter: Filter): Promise<unknown>;
}

/** A folded form, and buttons: a click chooses a period or removes a condition. */
export function OrdersFilter({ filter, onShow }: OrdersFilterProps) {
  const { t } = useTexts();
  const choices = useChoices(filter);
  const valueText = (name: string, value: string) =>
    choices[name]?.find((option) => option.value === value)?.label ?? value;
  const details = useRef<HTMLDetailsElement>(null);
  const show = async (values: Filter) => {
    const filled = Object.fromEntries(Object.entries(values).filter(([, value]) => value));
    await onShow(values.goods === filter.goods ? filled : without(filled, 'value'));
    details.current?.removeAttribute('open');
    details.current?.querySelector('summary')?.focus();
  };
  return (
    <>
      <details ref={details} className="box">
        <summary>{t('filter')}</summary>
        <ActionForm
          key={placeOf(filter)}
          className="stack"
          layout="pair tight"
          label={t('filter')}
          fields={fields.filter(({ name }) => name !== 'value' || filter.goods)}
          t={t}
          start={filter}
          onceSent={{}}
          submit={t('show')}
          choices={choices}
          onSubmit={show}
        />
      </details>
      <div className="row">
        {periods.map(({ first, last, label }) => {
          const [from, to] = [shopDay(first), shopDay(last)];
          const isChosen = filter.from === from && filter.to === to;
          return (
            <Chip key={first} selected={isChosen} onClick={() => go(placeOf({ ...filter, from, to }))}>
              {t(label, { count: first + 1 })}
            </Chip>
          );
        })}
        {Object.entries(filter).map(([name, value]) => (
          <Chip key={name} selected onClick={() => go(placeOf(without(filter, name)))}>
            {t('chip', { name: fieldName(name), value: valueText(name, value) })} <Icon name="close" size={16} />
          </Chip>
        ))}
        {Object.keys(filter).length > 0 && (
          <Button kind="ghost" onClick={() => go('orders')}>
            {t('clear')}
          </Button>
        )}
      </div>
    </>
  );
}

/** Values that the API names; the others come from the shop's data. */
const valueTexts = {
  ...orderValueTexts,
  sort: {
    newest: ['最新下单', 'Newest first'],
    oldest: ['最早下单', 'Oldest first'],
    highest: ['金额从高到低', 'Highest amount first'],
    lowest: ['金额从低到高', 'Lowest amount first'],
  },
} as const;

export const { useTexts, t: listText } = pairTexts('staff-orders', {
  count: ['共 {{count}} 单', '{{count}} orders', '1 order'],
  filter: ['筛选', 'Filter'],
  show: ['查看', 'Show'],
  clear: ['清除全部条件', 'Clear all'],
  chip: ['{{name}}：{{value}}', '{{name}}: {{value}}'],
  badFilter: ['筛选条件有误，请移除或修改', 'Change or remove these filters'],
  any: ['不限', 'Any'],
  today: ['今天', 'Today'],
  yesterday: ['昨天', 'Yesterday'],
  days: ['近 {{count}} 天', 'Last {{count}} days'],
  field: {
    goods: ['商品', 'Product'],
    value: ['面值', 'Value'],
    state: ['订单状态', 'Status'],
    delivery: ['发货状态', 'Delivery'],
    kind: ['类型', 'Kind'],
    method: ['支付方式', 'Payment method'],
    currency: ['币种', 'Currency'],
    supplier: ['供应商', 'Supplier'],
    coupon: ['使用的优惠券', 'Coupon used'],
    level: ['享受的等级', 'Level used'],
    from: ['开始日期', 'From'],
    to: ['结束日期', 'To'],
    amount_from: ['最低金额', 'Amount from'],
    amount_to: ['最高金额', 'Amount to'],
    sort: ['排序', 'Sort'],
  },
  ...valueTexts,
  buyer: ['买家', 'Buyer'],
  paid: ['已付金额', 'Paid'],
  refunded: ['已退金额', 'Refunded'],
  empty: ['没有符合条件的订单', 'No matching orders'],
  export: ['导出 {{format}}', 'Export {{format}}'],
  megabytes: ['已接收 {{megabytes}} MB，共 {{total}} 单', '{{megabytes}} MB received, {{total}} orders in all'],
  rows: ['已接收 {{rows}} / {{total}} 单', '{{rows}} of {{total}} orders received'],
  cancel: ['取消导出', 'Cancel export'],
  progress: ['导出进度', 'Progress of the export'],
  exported: ['导出完成', 'Export saved'],
  notSaved: ['没有保存任何文件。', 'No file was saved.'],
});
type Key = Parameters<typeof listText>[0];
