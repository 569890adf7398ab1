import type { StaffEditConflict, StaffEdited } from '@shop/server/wire';
import { ErrorCode } from '@shop/shared/domain';
import { StaffErrorCode } from '@shop/shared/domain/staff-errors';
import { invalidate, useQuery } from '@shop/shared/query';
import { Button, confirm, ErrorState, toast } from '@shop/shared/ui';
import { type ReactNode, useEffect, useState } from 'react';
import { call, post, StaffApiError } from '../api';
import { go } from '../location';
import { Fault, Loading, Table, useFormAct } from '../parts';
import { differences, isChanged, rebase } from './differences';
import { History } from './history';
import { useTexts } from './texts';

export interface EditorProps<T extends object> {
  /** Of the calls, as `editRoutes` of the server has them: "goods". */
  path: string;
  itemKey: string;
  /** What a new one begins with; absent for one that exists. */
  fresh?: T;
  /** What a field is called, by its path: "specs.0.prices.CNY". */
  label(path: string): string;
  onSaved?(key: string): void;
  children(draft: T, set: (change: Partial<T>) => void): ReactNode;
}

/** The form around something that people edit: loads and saves it, shows what somebody else has changed meanwhile, who changed what, and puts it back. */
export function Editor<T extends object>(props: EditorProps<T>) {
  const { path, itemKey, fresh } = props;
  const { data, error, refetch } = useQuery({
    queryKey: ['edit', path, itemKey],
    queryFn: () => call<StaffEdited<T>>(`${path}/${encodeURIComponent(itemKey)}`),
    enabled: !fresh,
    // A form that is open keeps what it began with; the server tells of somebody who was first.
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  const loaded = fresh ? { value: fresh, revision: null } : data;
  if (!loaded) {
    return <Loading lines={8} />;
  }
  return <EditorForm {...props} loaded={loaded} />;
}

interface Loaded<T> {
  value: T;
  revision: string | null;
}

function EditorForm<T extends object>({
  path,
  itemKey,
  fresh,
  label,
  onSaved,
  children,
  loaded,
}: EditorProps<T> & { loaded: Loaded<T> }) {
  const { t } = useTexts();
  const [base, setBase] = useState(loaded);
  const [draft, setDraft] = useState(loaded.value);
  const [conflict, setConflict] = useState<StaffEditConflict<T> | null>(null);
  const [wrong, setWrong] = useState<Record<string, string>>({});
  const { busy, fault, act } = useFormAct();
  const isDirty = isChanged(base.value, draft);
  useUnsaved(isDirty && !busy);

  const take = (saved: Loaded<T>, next = saved.value) => {
    setBase(saved);
    setDraft(next);
    setConflict(null);
    setWrong({});
  };
  const save = () =>
    act(async () => {
      const saved = await post<StaffEdited<T>>(`${path}/save`, {
        key: itemKey,
        revision: base.revision,
        value: draft,
      }).catch((error) => {
        const { code, data } = error instanceof StaffApiError ? error : {};
        if (code === StaffErrorCode.EditConflict) setConflict(data as StaffEditConflict<T>);
        setWrong(code === ErrorCode.InvalidInput ? (data as { errors: Record<string, string> }).errors : {});
        throw error;
      });
      take(saved);
      toast.success(t('saved'));
      void invalidate([path]);
      onSaved?.(itemKey);
    });
  return (
    <>
      <form
        className="editor"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          event.currentTarget.requestSubmit();
        }}
      >
        {children(draft, (change) => setDraft((now) => ({ ...now, ...change })))}
        {conflict && (
          <Conflict
            conflict={conflict}
            base={base.value}
            draft={draft}
            label={label}
            onKeep={() => take(conflict, rebase(base.value, draft, conflict.value))}
            onTake={() => take(conflict)}
          />
        )}
        <div className="editor__bar">
          {fault && <Fault>{fault}</Fault>}
          {Object.keys(wrong).length > 0 && (
            <ul className="fault">
              {Object.entries(wrong).map(([field, text]) => (
                <li key={field}>
                  {label(field.replace(/^value\./, ''))}: {text}
                </li>
              ))}
            </ul>
          )}
          <Button type="submit" loading={busy} disabled={!isDirty && !fresh}>
            {t('save')} <kbd>Ctrl Enter</kbd>
          </Button>
          {isDirty && (
            <Button kind="secondary" disabled={busy} onClick={() => take(base)}>
              {t('drop')}
            </Button>
          )}
          {isDirty && <span className="hint">{t('unsaved')}</span>}
        </div>
      </form>
      {base.revision !== null && (
        <History
          path={path}
          itemKey={itemKey}
          revision={base.revision}
          label={label}
          isDirty={isDirty}
          onPutBack={take}
        />
      )}
    </>
  );
}

interface ConflictProps<T> {
  conflict: StaffEditConflict<T>;
  base: T;
  draft: T;
  label(path: string): string;
  onKeep(): void;
  onTake(): void;
}

function Conflict<T>({ conflict, base, draft, label, onKeep, onTake }: ConflictProps<T>) {
  const { t } = useTexts();
  return (
    <div className="card">
      <Table
        title={t('conflict.title', { name: conflict.by.replace(/ \(staff\)$/, '') || t('conflict.someone') })}
        head={[t('conflict.field'), t('conflict.before'), t('conflict.theirs'), t('conflict.mine')]}
        rows={differences(base, conflict.value, draft).map(({ path, texts }) => [label(path), ...texts])}
      />
      <p>{t('conflict.text')}</p>
      <div className="row">
        <Button onClick={onKeep}>{t('conflict.keep')}</Button>
        <Button kind="secondary" onClick={onTake}>
          {t('conflict.take')}
        </Button>
      </div>
    </div>
  );
}

/** Asks before a link or the tab's end drops what is not saved. */
function useUnsaved(isUnsaved: boolean): void {
  const { t } = useTexts();
  useEffect(() => {
    if (!isUnsaved) return;
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    const onClick = async (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a[href^="#/"]') : null;
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      if (await confirm({ title: t('leave'), content: t('leaveText'), confirmText: t('leaveNow'), danger: true }))
        go(link.getAttribute('href')?.slice(2) ?? '');
    };
    addEventListener('beforeunload', onUnload);
    document.addEventListener('click', onClick, { capture: true });
    return () => {
      removeEventListener('beforeunload', onUnload);
      document.removeEventListener('click', onClick, { capture: true });
    };
  }, [isUnsaved, t]);
}
