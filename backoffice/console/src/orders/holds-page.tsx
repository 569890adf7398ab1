import type { StaffHoldSettings } from '@shop/backoffice/wire';
import { currencies } from '@shop/shared/domain/lists';
import { EditPage, type EditPart } from '../edits/editor';
import { holdRules } from '../generated/field-rules';
import { pairTexts } from '../pair-texts';

const parts: EditPart<StaffHoldSettings, Key>[] = [
  { title: 'enabled', hint: 'enabledHint', fields: [{ kind: 'check', name: 'enabled', label: 'enabled' }] },
  {
    title: 'part',
    hint: 'partHint',
    fields: [
      ...currencies.map((currency) => ({
        name: `from.${currency}` as const,
        label: 'from' as const,
        values: { currency },
        ...holdRules['from.CNY'],
        inputMode: 'decimal' as const,
      })),
      { kind: 'number', name: 'new_account_hours', label: 'newAccount', ...holdRules.new_account_hours },
      { kind: 'number', name: 'codes_per_hour', label: 'codes', ...holdRules.codes_per_hour },
      {
        name: 'countries',
        label: 'countries',
        hint: 'countriesHint',
        ...holdRules.countries,
        spellCheck: false,
        filter: (value) => value.toUpperCase(),
      },
      { kind: 'check', name: 'networks', label: 'networks' },
    ],
  },
  {
    title: 'end',
    fields: [
      { kind: 'number', name: 'minutes', label: 'most', ...holdRules.minutes },
      { kind: 'select', name: 'at_end', label: 'atEnd', options: { release: 'release', refund: 'refund' } },
    ],
  },
];

/** The rules that put paid orders on hold for review: one item, under the key "shop". */
export function HoldsPage() {
  const { t } = useTexts();
  return <EditPage path="hold-settings" itemKey="shop" parts={parts} t={t} title={t('nav.holds')} />;
}

const { useTexts, t } = pairTexts('staff-holds', {
  enabled: ['核查符合规则的已付款订单', 'Hold paid orders that match these rules'],
  enabledHint: [
    '符合任一规则的订单付款后不发货，买家会看到“付款核查中”和最长时间。',
    'An order that matches any rule isn’t delivered when it is paid. The buyer sees that the payment is being checked, and how long that takes at most.',
  ],
  part: ['规则', 'Rules'],
  partHint: ['留空的规则不生效。', 'A rule left empty is off.'],
  from: ['{{currency}} 金额达到', '{{currency}} amount from'],
  newAccount: ['账号注册不到多少小时', 'Hours an account counts as new'],
  codes: ['一小时内每人最多多少张卡密', 'Most codes per shopper in an hour'],
  countries: ['付款应来自的国家或地区', 'Countries payments should come from'],
  countriesHint: [
    '两位代码，用逗号分隔，如 CN, HK。只有支付渠道告知时才生效（目前为银行卡）。',
    'Two-letter codes, separated by commas: CN, HK. Only where the provider reports it: for now, cards.',
  ],
  networks: [
    '有过核查退款或付款争议的网络',
    'Networks with an order refunded after a check, or with a disputed payment',
  ],
  end: ['时限', 'Time limit'],
  most: ['最长核查分钟数', 'Longest hold, in minutes'],
  atEnd: ['到时', 'When time is up'],
  release: ['放行', 'Release it'],
  refund: ['退款', 'Refund it'],
});
type Key = Parameters<typeof t>[0];
