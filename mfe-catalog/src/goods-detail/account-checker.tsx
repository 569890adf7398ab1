import type { FieldValues, GoodsInfo } from '@shop/server/wire';
import { useFormikContext } from '@shop/shared/forms';
import { ApiError } from '@shop/shared/http';
import { Button, Icon } from '@shop/shared/ui';
import { useState } from 'react';
import { cleanFields, fieldProblem } from './fields.schema';
import { useGoodsTexts } from './goods-texts';
import type { AccountCheck } from './use-account-check';

interface AccountCheckerProps {
  goods: GoodsInfo;
  check: AccountCheck;
}

export function AccountChecker({ goods, check }: AccountCheckerProps) {
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
