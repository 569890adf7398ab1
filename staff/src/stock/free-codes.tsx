import type { StaffFreeCode } from '@shop/server/wire';
import { formatDate } from '@shop/shared/i18n';
import { invalidate, useQuery } from '@shop/shared/query';
import { Button, Checkbox, Dialog, ErrorState, Skeleton, toast } from '@shop/shared/ui';
import { useState } from 'react';
import { call, post } from '../api';
import { Fault, Field, useFormAct } from '../parts';
import { useTexts } from './texts';

const PAGE_SIZE = 50;

/** Codes that can still be voided. */
export function FreeCodes({ goods, spec }: { goods: string; spec: string }) {
  const { t } = useTexts();
  const [typed, setTyped] = useState('');
  const [{ tail, before }, setPage] = useState<{ tail: string; before?: number }>({ tail: '' });
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const [asking, setAsking] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: ['free-codes', goods, spec, tail, before],
    queryFn: () => {
      const query = new URLSearchParams({ goods, spec, tail, ...(before && { before: String(before) }) });
      return call<StaffFreeCode[]>(`codes?${query}`);
    },
  });
  const toggle = (id: number) =>
    setChosen((now) => {
      const next = new Set(now);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  return (
    <section className="card" aria-labelledby="free-codes">
      <h2 id="free-codes">{t('free')}</h2>
      <p className="hint">{t('freeHint')}</p>
      <form
        className="row"
        onSubmit={(event) => {
          event.preventDefault();
          setPage({ tail: typed.trim() });
        }}
      >
        <Field
          label={t('tail')}
          value={typed}
          onValue={setTyped}
          maxLength={20}
          autoComplete="off"
          spellCheck={false}
        />
        <Button type="submit" kind="secondary" icon="search">
          {t('find')}
        </Button>
      </form>
      {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={4} />}
      {data?.length === 0 && <p className="hint">{t('none')}</p>}
      <ul className="codes">
        {data?.map(({ id, number, created_at, expire_at }) => (
          <li key={id}>
            <Checkbox checked={chosen.has(id)} onChange={() => toggle(id)}>
              <span className="code">{number}</span>{' '}
              <span className="hint">
                {formatDate(created_at)}
                {expire_at && ` · ${t('until', { day: formatDate(expire_at, 'yyyy-MM-dd') })}`}
              </span>
            </Checkbox>
          </li>
        ))}
      </ul>
      <div className="row">
        <Button kind="danger" disabled={chosen.size === 0} onClick={() => setAsking(true)}>
          {t('void', { count: chosen.size })}
        </Button>
        {data?.length === PAGE_SIZE && !tail && (
          <Button kind="secondary" onClick={() => setPage({ tail, before: data.at(-1)?.id })}>
            {t('older')}
          </Button>
        )}
      </div>
      {asking && (
        <VoidDialog
          ids={[...chosen]}
          onClose={() => setAsking(false)}
          onVoided={() => {
            setAsking(false);
            setChosen(new Set());
          }}
        />
      )}
    </section>
  );
}

function VoidDialog({ ids, onClose, onVoided }: { ids: number[]; onClose(): void; onVoided(): void }) {
  const { t } = useTexts();
  const [reason, setReason] = useState('');
  const { busy, fault, act } = useFormAct();
  const submit = () =>
    act(async () => {
      await post('codes/void', { ids, reason: reason.trim() });
      toast.success(t('voided'));
      await Promise.all([invalidate(['stock']), invalidate(['free-codes'])]);
      onVoided();
    });
  const count = { count: ids.length };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('voidAsk', count)}
      actions={
        <>
          <Button kind="secondary" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button kind="danger" loading={busy} disabled={!reason.trim()} onClick={() => void submit()}>
            {t('void', count)}
          </Button>
        </>
      }
    >
      <p>{t('voidText')}</p>
      <Field label={t('reason')} value={reason} onValue={setReason} maxLength={200} data-autofocus required />
      {fault && <Fault>{fault}</Fault>}
    </Dialog>
  );
}
