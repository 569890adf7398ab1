import type { StaffListedLevel, StaffShopper } from '@shop/backoffice/wire';
import { formatDate } from '@shop/shared/i18n';
import { api, useApi } from '../api';
import { refundRules } from '../generated/money.rules';
import { ActionForm } from '../kit/action-form';
import type { FieldSpec } from '../kit/fields';
import { Facts, Section } from '../kit/parts';
import { mayUse, useMe } from '../session';
import { type Key, useTexts } from '../texts';

interface LevelGrant {
  /** An empty value withdraws the level. */
  level: string;
  until: string | null;
  reason: string;
}

const fields: FieldSpec<LevelGrant, Key>[] = [
  { kind: 'select', name: 'level', label: 'level.title' },
  { kind: 'time', name: 'until', label: 'validUntil', hint: 'level.untilHint' },
  { name: 'reason', label: 'reason', ...refundRules.reason },
];

export function LevelForm({ user, level }: Pick<StaffShopper, 'user' | 'level'>) {
  const { t } = useTexts();
  const mayGrant = mayUse(useMe(), 'accounts');
  const { data: levels = [] } = useApi('GET levels', {}, { enabled: mayGrant });
  if (levels.length === 0 && !level.own && !level.given) return null;
  const { given } = level;
  return (
    <Section className="card" title={t('level.title')}>
      <Facts
        of={[
          [t('level.own'), level.own?.name ?? t('level.none')],
          [t('level.given'), given ? grantText(given, t) : t('level.none')],
        ]}
      />
      {mayGrant && levels.length > 0 && <Give user={user.id} levels={levels} />}
    </Section>
  );
}

const grantText = (
  { name, until, by, at }: NonNullable<StaffShopper['level']['given']>,
  t: ReturnType<typeof useTexts>['t'],
) =>
  t(until ? 'level.givenUntil' : 'level.givenForGood', {
    name,
    by,
    at: formatDate(at),
    until: until ? formatDate(until) : '',
  });

function Give({ user, levels }: { user: number; levels: StaffListedLevel[] }) {
  const { t, language } = useTexts();
  const choices = levels.map(({ key, value }) => ({ value: key, label: value.name[language] }));
  return (
    <ActionForm
      className="stack starts"
      label={t('level.give')}
      fields={fields}
      t={t}
      start={{ level: choices[0]?.value ?? '', until: null, reason: '' } satisfies LevelGrant as LevelGrant}
      submit={t('wallet.send')}
      kind="secondary"
      done={t('account.done')}
      changes={['shopper']}
      choices={{ level: [...choices, { value: '', label: t('level.takeBack') }] }}
      onSubmit={({ level, until, reason }) =>
        api('POST shopper/level', {
          id: user,
          reason: reason.trim(),
          ...(level === '' ? { level: null, until: null } : { level, until }),
        })
      }
    />
  );
}
