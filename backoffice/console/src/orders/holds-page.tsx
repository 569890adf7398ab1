import type { StaffHoldSettings } from '@shop/backoffice/wire';
import { currencies } from '@shop/shared/domain/lists';
import { EditPage, type EditPart } from '../edits/editor';
import { holdRules } from '../generated/holds.rules';
import { type Key, useTexts } from './holds-texts';

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
        autoComplete: 'off',
      })),
      { kind: 'number', name: 'new_account_hours', label: 'newAccount', ...holdRules.new_account_hours },
      { kind: 'number', name: 'codes_per_hour', label: 'codes', ...holdRules.codes_per_hour },
      {
        name: 'countries',
        label: 'countries',
        hint: 'countriesHint',
        ...holdRules.countries,
        autoComplete: 'off',
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
  return <EditPage path="hold-settings" itemKey="shop" parts={parts} t={t} title={t('title')} />;
}
