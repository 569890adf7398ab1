import type { StaffInviteSettings } from '@shop/backoffice/wire';
import { currencies } from '@shop/shared/domain/lists';
import { EditPage } from '../edits/editor';
import { type FieldSpec, Fields, labelOf } from '../forms/fields';
import { Part } from '../forms/part';
import { inviteRules } from '../generated/invites.rules';
import { type Key, t as text, useTexts } from './texts';

type InviteField = FieldSpec<StaffInviteSettings, Key>;
const enabled: InviteField[] = [{ kind: 'check', name: 'enabled', label: 'enabled' }];
const share: InviteField[] = [
  { kind: 'number', name: 'percent', label: 'percent', ...inviteRules.percent },
  { kind: 'number', name: 'orders', label: 'orders', ...inviteRules.orders },
  { kind: 'number', name: 'within_days', label: 'withinDays', ...inviteRules.within_days },
  { kind: 'number', name: 'hold_days', label: 'holdDays', hint: 'holdHint', ...inviteRules.hold_days },
];
const limits: InviteField[] = [
  { kind: 'number', name: 'people_per_day', label: 'peoplePerDay', ...inviteRules.people_per_day },
  ...currencies.map(
    (currency): InviteField => ({
      name: `per_day.${currency}`,
      label: 'perDay',
      values: { currency },
      ...inviteRules['per_day.CNY'],
      inputMode: 'decimal',
      autoComplete: 'off',
      required: true,
    }),
  ),
];
const all = [...enabled, ...share, ...limits];

/** How invitations count: one thing, under the key "shop". */
export function SettingsForm() {
  const { t } = useTexts();
  return (
    <EditPage
      path="invite-settings"
      itemKey="shop"
      fresh={undefined}
      label={(path) => labelOf(all, text, path)}
      all={t('all')}
      title={t('settings')}
      place="invites/settings"
    >
      {() => (
        <>
          <Part title={t('enabled')}>
            <p className="hint">{t('enabledHint')}</p>
            <Fields of={enabled} t={t} />
          </Part>
          <Part title={t('share')}>
            <p className="hint">{t('promised')}</p>
            <Fields of={share} t={t} />
          </Part>
          <Part title={t('limits')}>
            <Fields of={limits} t={t} />
          </Part>
        </>
      )}
    </EditPage>
  );
}
