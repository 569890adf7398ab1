import type { FieldValues, GoodsField, GoodsInfo } from '@shop/server/wire';
import { PasswordField, SelectField, TextField, useFormikContext } from '@shop/shared/forms';
import { ApiError } from '@shop/shared/http';
import { useSession } from '@shop/shared/session';
import { observer } from '@shop/shared/state';
import { Button, Card, Checkbox, Icon } from '@shop/shared/ui';
import { useEffect, useState } from 'react';
import { useTexts } from '../texts';
import { cleanFields, fieldProblem, isAsked, offeredOptions } from './fields.schema';
import { useGoodsTexts } from './goods-texts';
import { SavedAccounts } from './saved-accounts';
import type { AccountCheck } from './use-account-check';

interface AccountFieldsProps {
  goods: GoodsInfo;
  check: AccountCheck;
  remember: boolean;
  onRemember: (remember: boolean) => void;
}

export const AccountFields = observer(function AccountFields({
  goods,
  check,
  remember,
  onRemember,
}: AccountFieldsProps) {
  const { t } = useGoodsTexts();
  const session = useSession();
  const { values } = useFormikContext<FieldValues>();
  const canRemember = goods.fields.some((field) => field.remember);
  return (
    <Card>
      <fieldset className="catalog-fieldset catalog-account ui-stack">
        <legend className="catalog-legend">{t('account.title')}</legend>
        {session.hasToken && canRemember && <SavedAccounts goods={goods} />}
        {goods.fields
          .filter((field) => isAsked(field, values))
          .map((field) => (
            <OneField key={field.key} field={field} />
          ))}
        {goods.need_verify_account && <AccountChecker goods={goods} check={check} />}
        {session.hasToken && canRemember && (
          <Checkbox checked={remember} onChange={onRemember}>
            {t('account.remember')}
          </Checkbox>
        )}
      </fieldset>
    </Card>
  );
});

function OneField({ field }: { field: GoodsField }) {
  const { t } = useTexts();
  const { values, setFieldValue } = useFormikContext<FieldValues>();
  const options = offeredOptions(field, values);
  const value = values[field.key];
  const stale = field.type === 'select' && Boolean(value) && !options.some((option) => option.value === value);
  useEffect(() => {
    if (stale) void setFieldValue(field.key, '');
  }, [stale, field.key, setFieldValue]);

  const common = { name: field.key, label: field.label, hint: field.help };
  if (field.type === 'select') {
    return <SelectField {...common} options={options} placeholder={t('field.choose')} />;
  }
  // A game's password: "new-password" keeps the browser from filling in the shop's.
  if (field.type === 'password')
    return <PasswordField {...common} autoComplete="new-password" maxLength={field.max_len} />;
  return (
    <TextField
      {...common}
      inputMode={field.type === 'number' ? 'numeric' : 'text'}
      autoComplete="off"
      maxLength={field.max_len}
    />
  );
}

interface AccountCheckerProps {
  goods: GoodsInfo;
  check: AccountCheck;
}

function AccountChecker({ goods, check }: AccountCheckerProps) {
  const { t } = useGoodsTexts();
  const { values, setTouched } = useFormikContext<FieldValues>();
  const [problem, setProblem] = useState<{ fingerprint: string; text: string } | null>(null);
  const fields = cleanFields(goods.fields, values);
  const fingerprint = JSON.stringify(fields);
  const result = check.resultFor(fields);

  const run = async () => {
    const wrong = goods.fields.some((field) => fieldProblem(field, fields[field.key] ?? '', values) !== null);
    if (wrong) {
      await setTouched(Object.fromEntries(goods.fields.map((field) => [field.key, true])), true);
      return;
    }
    setProblem(null);
    try {
      await check.run(fields);
    } catch (error) {
      const text = error instanceof ApiError && error.message ? error.message : t('account.failed');
      setProblem({ fingerprint, text });
    }
  };

  return (
    <div className="catalog-check ui-row ui-wrap">
      <Button type="button" kind="secondary" loading={check.isChecking} onClick={() => void run()}>
        {t('account.check')}
      </Button>
      <span role="status">
        {result ? (
          <span className="ui-row ui-gap-1 ui-success ui-bold">
            <Icon name="check" size={18} />
            {t('account.found', { nickname: result.nickname })}
          </span>
        ) : problem?.fingerprint === fingerprint ? (
          <span className="catalog-hint ui-hint is-wrong">{problem.text}</span>
        ) : (
          <span className="catalog-hint ui-hint">{t('account.checkHint')}</span>
        )}
      </span>
    </div>
  );
}
