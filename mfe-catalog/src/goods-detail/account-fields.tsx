import type { FieldValues, GameAccount, GoodsField, GoodsInfo, ValidateAccountAnswer } from '@shop/server/wire';
import { PasswordField, SelectField, TextField, useFormikContext } from '@shop/shared/forms';
import { ApiError, del, getQuery, post } from '@shop/shared/http';
import { useQuery, useQueryClient } from '@shop/shared/query';
import { useSession } from '@shop/shared/session';
import { observer } from '@shop/shared/state';
import { Button, Card, Checkbox, Chip, confirm, Icon, IconButton } from '@shop/shared/ui';
import { useEffect, useRef, useState } from 'react';
import { useTexts } from '../texts';
import { cleanFields, fieldProblem, isAsked, offeredOptions } from './fields.schema';
import { useGoodsTexts } from './goods-texts';

const savedAccounts = '/api/front/user/gameAccount';

export const savedAccountsQuery = (goodsId: number) =>
  getQuery(savedAccounts, ['catalog', 'saved-accounts', goodsId], { goods_id: goodsId });

export type AccountCheck = ReturnType<typeof useAccountCheck>;

/** The server's token is valid for ten minutes (docs/product.md#catalogue); the last minute is left for buying. */
const goodForMs = 9 * 60_000;

interface Checked {
  fingerprint: string;
  answer: ValidateAccountAnswer;
  until: number;
}

export function useAccountCheck(goodsId: number) {
  const [checked, setChecked] = useState<Checked | null>(null);
  const [isChecking, setChecking] = useState(false);
  return {
    isChecking,
    /** The answer for exactly these fields, if they were checked. */
    resultFor: (fields: FieldValues) =>
      checked && checked.fingerprint === JSON.stringify(fields) && Date.now() < checked.until ? checked.answer : null,
    /** Rejects with ApiError GameAccountNotVerified for an unknown account. */
    run: async (fields: FieldValues) => {
      setChecking(true);
      try {
        const answer = await post('/api/front/goods/validateAccount', { goods_id: goodsId, fields }, { quiet: true });
        setChecked({ fingerprint: JSON.stringify(fields), answer, until: Date.now() + goodForMs });
        return answer;
      } finally {
        setChecking(false);
      }
    },
    forget: () => setChecked(null),
  };
}

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

function AccountChecker({ goods, check }: { goods: GoodsInfo; check: AccountCheck }) {
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

/** Accounts of earlier orders; a click fills in the fields. The latest is filled in on load if the fields are empty. */
function SavedAccounts({ goods }: { goods: GoodsInfo }) {
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
      await del(savedAccounts, { id: account.id });
      client.setQueryData<GameAccount[]>(query.queryKey, (accounts) => accounts?.filter(({ id }) => id !== account.id));
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
