import type { Edited, HistoryEntry, StaffCalls, StaffEditConflict } from '@shop/backoffice/wire';
import type { Language } from '@shop/shared/domain';
import { StaffErrorCode } from '@shop/shared/domain/staff-errors';
import { formatDate, type Translate } from '@shop/shared/i18n';
import { invalidate, useQuery } from '@shop/shared/query';
import { Button, toast } from '@shop/shared/ui';
import { type ReactNode, useState } from 'react';
import { call, post, StaffApiError } from '../api';
import { useDraft } from '../drafts';
import { ActionButton } from '../kit/action-form';
import { type Choices, type FieldSpec, Fields, type Labelled, labelOf } from '../kit/fields';
import { Form, FormFaults, type FormState, Submit, useForm } from '../kit/form';
import { TextTable } from '../kit/list-table';
import { BackLink, Loaded } from '../kit/parts';
import { go } from '../location';
import { differences, isSame, rebase } from './differences';
import { useTexts } from './parts';

type PathOf<C> = C extends `POST ${infer Path}/put-back` ? Path : never;
type EditPath = PathOf<keyof StaffCalls>;
type EditedBy<P extends EditPath> =
  StaffCalls extends Record<`GET ${P}/:key`, { answer: Edited<infer Value extends object> }> ? Value : never;

type Texts = Record<Language, string>;
export const none: Texts = { 'zh-CN': '', en: '' };

export interface EditPart<T extends object, Key extends string> {
  title: Key;
  hint?: Key;
  fields?: ReadonlyArray<FieldSpec<T, Key>>;
  choices?: Choices;
  layout?: string;
  disabled?: boolean;
  /** Follows the fields. */
  more?(form: FormState<T>): ReactNode;
}

/** Its texts are in every namespace (pair-texts.ts). */
const period: EditPart<{ starts_at: string | null; ends_at: string | null }, string> = {
  title: 'period.title',
  fields: [
    { kind: 'time', name: 'starts_at', label: 'period.from', hint: 'period.fromHint' },
    { kind: 'time', name: 'ends_at', label: 'period.until', hint: 'period.untilHint' },
  ],
};

interface EditorProps<T extends object, Key extends string> {
  path: EditPath;
  itemKey: string;
  fresh?: T;
  /** They may depend on the draft. An item with a period also gets its fields. */
  parts: ReadonlyArray<EditPart<T, Key>> | ((draft: T) => ReadonlyArray<EditPart<T, Key>>);
  t: Translate<Key>;
  /** Labels of values outside the fields of the parts, for faults, conflicts and the history. */
  names?: ReadonlyArray<Labelled<Key>>;
  /** The heading of an item without a name; by default its key. */
  title?: string;
  /** Address of an existing item, without its key: a new item redirects there after it is saved. Its first part is the list. */
  place?: string;
}

interface EditPageProps<P extends EditPath, Key extends string> extends EditorProps<EditedBy<P>, Key> {
  path: P;
  all?: string;
}

export function EditPage<P extends EditPath, Key extends string>({ all, ...editor }: EditPageProps<P, Key>) {
  const { path, itemKey, fresh, place = path, title = itemKey } = editor;
  const query = useQuery({
    queryKey: ['edit', path, itemKey],
    queryFn: () => call<Edited<EditedBy<P>>>(`${path}/${encodeURIComponent(itemKey)}`),
    enabled: !fresh,
    // An open form keeps its initial data; the server reports a conflict with another user.
    gcTime: 0,
    refetchOnReconnect: false,
  });
  return (
    <>
      {all && <BackLink to={place.replace(/\/.*/, '')}>{all}</BackLink>}
      {!fresh && !query.data && <h1>{title}</h1>}
      {fresh ? (
        <Editor {...editor} loaded={{ value: fresh, revision: null }} />
      ) : (
        <Loaded query={query}>{(loaded) => <Editor {...editor} loaded={loaded} />}</Loaded>
      )}
    </>
  );
}

interface Revision<T> {
  value: T;
  revision: string | null;
}

interface Edit<T> {
  base: Revision<T>;
  draft: T;
}

function Editor<T extends object, Key extends string>(props: EditorProps<T, Key> & { loaded: Revision<T> }) {
  const { path, itemKey, fresh, t: own, names = [], title = itemKey, place = `${path}/edit`, loaded } = props;
  const { t, language } = useTexts();
  const draftKey = `${path}/${itemKey}`;
  const isUnsaved = ({ base, draft }: Edit<T>) => !isSame(base.value, draft);
  const [edit, setEdit] = useDraft<Edit<T>>(draftKey, { base: loaded, draft: loaded.value }, isUnsaved);
  const { base, draft } = edit;
  const [conflict, setConflict] = useState<StaffEditConflict<T> | null>(null);
  const form = useForm(draft, (change) => setEdit((now) => ({ ...now, draft: change(now.draft) })));
  const isDirty = isUnsaved(edit);

  const ownParts = typeof props.parts === 'function' ? props.parts(draft) : props.parts;
  const parts = 'starts_at' in draft ? [...ownParts, period as unknown as EditPart<T, Key>] : ownParts;
  const labelled = [...parts.flatMap(({ fields = [] }) => fields), ...names];
  const nameOf = (path: string) => labelOf(labelled, own, path) ?? path;
  const take = (saved: Revision<T>, next = saved.value) => {
    setEdit({ base: saved, draft: next });
    setConflict(null);
    form.clearFaults();
  };
  const save = async () => {
    const body = { key: itemKey, revision: base.revision, value: draft };
    const saved = await post<Edited<T>>(`${path}/save`, body).catch((error) => {
      const isConflict = error instanceof StaffApiError && error.code === StaffErrorCode.EditConflict;
      if (isConflict) setConflict(error.data as StaffEditConflict<T>);
      throw error;
    });
    take(saved);
    toast.success(t('saved'));
    void invalidate([path]);
    if (fresh) go(`${place}/${itemKey}`);
  };
  const { name, title: titles }: { name?: Texts; title?: Texts } = base.value;
  const shownName = fresh ? '' : (name ?? titles)?.[language];
  return (
    <>
      <h1>
        {shownName || title} {shownName && <span className="hint">{itemKey}</span>}
      </h1>
      <Form form={form} className="stack editor" onSubmit={save}>
        {parts.map(({ title, hint, fields = [], choices, layout, disabled, more }) => (
          <fieldset key={title} className="card" disabled={disabled}>
            <legend>{own(title)}</legend>
            {hint && <p className="hint">{own(hint)}</p>}
            {fields.length > 0 && <Fields of={fields} t={own} className={layout} choices={choices} />}
            {more?.(form)}
          </fieldset>
        ))}
        {conflict && (
          <Conflict
            conflict={conflict}
            base={base.value}
            draft={draft}
            label={nameOf}
            onKeep={() => take(conflict, rebase(base.value, draft, conflict.value))}
            onTake={() => take(conflict)}
          />
        )}
        <div className="row editor__bar">
          <FormFaults form={form} label={nameOf} />
          <Submit form={form} disabled={!isDirty && !fresh}>
            {t('save')} <kbd>Ctrl Enter</kbd>
          </Submit>
          {isDirty && (
            <Button kind="secondary" disabled={form.busy} onClick={() => take(base)}>
              {t('drop')}
            </Button>
          )}
          {isDirty && <span className="hint">{t('unsaved')}</span>}
        </div>
      </Form>
      {base.revision !== null && (
        <History
          path={path}
          itemKey={itemKey}
          revision={base.revision}
          label={nameOf}
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
      <TextTable
        title={t('conflict.title', { name: conflict.by.replace(/ \(staff\)$/, '') || t('conflict.someone') })}
        head={[t('changedField'), t('before'), t('conflict.theirs'), t('conflict.mine')]}
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

interface HistoryProps<T> {
  path: string;
  itemKey: string;
  revision: string;
  label(path: string): string;
  isDirty: boolean;
  onPutBack(saved: Edited<T>): void;
}

function History<T>({ path, itemKey, revision, label, isDirty, onPutBack }: HistoryProps<T>) {
  const { t } = useTexts();
  const [open, setOpen] = useState(false);
  const query = useQuery({
    queryKey: ['history', path, itemKey, revision],
    queryFn: () => call<HistoryEntry[]>(`${path}/${encodeURIComponent(itemKey)}/history`),
    enabled: open,
  });
  const questionOf = ({ at, before }: HistoryEntry) => {
    const fields = Object.keys(before ?? {}).map((name) => label(name));
    const content = t('history.putBackText', { time: formatDate(at), fields: fields.join('、') });
    return { title: t('history.putBackAsk'), content, confirmText: t('history.putBack') };
  };
  const putBack = async ({ id }: HistoryEntry) =>
    onPutBack(await post<Edited<T>>(`${path}/put-back`, { key: itemKey, revision, entry: id }));
  return (
    <details className="card" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('history.title')}</summary>
      {open && (
        <Loaded query={query}>
          {(entries) => (
            <>
              {entries.length === 0 && <p className="hint">{t('history.empty')}</p>}
              {isDirty && entries.length > 0 && <p className="hint">{t('history.saveFirst')}</p>}
              {entries.map((entry) => (
                <article key={entry.id} className="list starts">
                  <TextTable
                    title={`${formatDate(entry.at)} · ${entry.by.replace(/ \(staff\)$/, '') || t('history.job')}${entry.put_back ? ` · ${t('history.isPutBack')}` : ''}`}
                    head={[t('changedField'), t('before'), t('after')]}
                    rows={
                      entry.before
                        ? differences(entry.before, entry.after).map(({ path, texts }) => [label(path), ...texts])
                        : [[t('history.made'), '', '']]
                    }
                  />
                  {entry.before && (
                    <ActionButton
                      disabled={isDirty}
                      question={questionOf(entry)}
                      action={() => putBack(entry)}
                      done={t('saved')}
                    >
                      {t('history.putBack')}
                    </ActionButton>
                  )}
                </article>
              ))}
            </>
          )}
        </Loaded>
      )}
    </details>
  );
}
