import type { FieldValues, GameAccount, GoodsInfo } from '@shop/server/wire';
import { useFormikContext } from '@shop/shared/forms';
import { useQuery, useQueryClient } from '@shop/shared/query';
import { Chip, confirm, IconButton } from '@shop/shared/ui';
import { useEffect, useRef } from 'react';
import { deleteAccount, savedAccountsQuery } from './goods-detail.api';
import { useGoodsTexts } from './goods-texts';

/** Accounts of earlier orders; a click fills in the fields. The latest is filled in on load if the fields are empty. */
export function SavedAccounts({ goods }: { goods: GoodsInfo }) {
  const { t } = useGoodsTexts();
  const { values, setValues } = useFormikContext<FieldValues>();
  const client = useQueryClient();
  const query = savedAccountsQuery(goods.id);
  const accounts = useQuery(query);
  const offered = useRef(false);
  const latest = accounts.data?.[0];
  const untouched = goods.fields.every((field) => !values[field.key]);
  const fill = (account: GameAccount) => setValues({ ...values, ...pick(goods, account.fields) }).catch(() => {});

  // biome-ignore lint/correctness/useExhaustiveDependencies: It runs once, when the accounts have loaded.
  useEffect(() => {
    if (!latest || offered.current) return;
    offered.current = true;
    if (untouched) void fill(latest);
  }, [latest]);

  if (!accounts.data || accounts.data.length === 0) return null;
  const remove = async (account: GameAccount) => {
    const yes = await confirm({ title: t('account.forget', { label: account.label }), danger: true });
    if (!yes) return;
    try {
      await deleteAccount(account.id);
      client.setQueryData(query.queryKey, (accounts) => accounts?.filter(({ id }) => id !== account.id));
    } catch {
      // The HTTP client has shown the error; the account stays in the list.
    }
  };
  return (
    <ul className="catalog-accounts ui-row ui-gap-2 ui-wrap" aria-label={t('account.saved')}>
      {accounts.data.map((account) => (
        <li key={account.id}>
          <Chip
            selected={Object.entries(account.fields).every(([key, value]) => values[key] === value)}
            onClick={() => void fill(account)}
          >
            {account.label}
          </Chip>
          <IconButton
            label={t('account.forgetLabel', { label: account.label })}
            icon="close"
            onClick={() => void remove(account)}
          />
        </li>
      ))}
    </ul>
  );
}

function pick(goods: GoodsInfo, fields: FieldValues): FieldValues {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => goods.fields.some((field) => field.key === key)));
}
