import type { StaffHoldSettings } from '@shop/backoffice/wire';
import { currencies } from '@shop/shared/domain/lists';
import { EditPage } from '../edits/editor';
import { holdRules } from '../generated/holds.rules';
import { type FieldSpec, Fields, labelOf } from '../kit/fields';
import { Part } from '../kit/part';
import { type Key, t as text, useTexts } from './holds-texts';

type HoldField = FieldSpec<StaffHoldSettings, Key>;
const enabled: HoldField[] = [{ kind: 'check', name: 'enabled', label: 'enabled' }];
const rules: HoldField[] = [
  ...currencies.map(
    (currency): HoldField => ({
      name: `from.${currency}`,
      label: 'from',
      values: { currency },
      ...holdRules['from.CNY'],
      inputMode: 'decimal',
      autoComplete: 'off',
    }),
  ),
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
];
const end: HoldField[] = [
  { kind: 'number', name: 'minutes', label: 'most', ...holdRules.minutes },
  { kind: 'select', name: 'at_end', label: 'atEnd', options: { release: 'release', refund: 'refund' } },
];
const all = [...enabled, ...rules, ...end];

/** The rules that put paid orders on hold for review: one item, under the key "shop". */
export function HoldsPage() {
  const { t } = useTexts();
  return (
    <EditPage path="hold-settings" itemKey="shop" label={(path) => labelOf(all, text, path)} title={t('title')}>
      {() => (
        <>
          <Part title={t('enabled')}>
            <p className="hint">{t('enabledHint')}</p>
            <Fields of={enabled} t={t} />
          </Part>
          <Part title={t('part')}>
            <p className="hint">{t('partHint')}</p>
            <Fields of={rules} t={t} />
          </Part>
          <Part title={t('end')}>
            <Fields of={end} t={t} />
          </Part>
        </>
      )}
    </EditPage>
  );
}
