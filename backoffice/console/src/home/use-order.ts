import { StaffErrorCode } from '@shop/shared/domain/staff-errors';
import { invalidate } from '@shop/shared/query';
import { api, StaffApiError } from '../api';
import { useDraft } from '../drafts';
import { useForm } from '../forms/form';

interface Draft {
  keys: string[];
  /** As it was when somebody began to change it; undefined once the person has seen that it is another one by now. */
  before: string[] | undefined;
}

/** The order of a list, as somebody changes it before it is saved. */
export function useOrder<T extends { key: string }>(
  path: 'banners' | 'modules',
  listed: readonly T[],
  onSaved: () => void,
) {
  const [draft, setDraft] = useDraft<Draft | undefined>(`${path}/order`, undefined, Boolean);
  const current = listed.map(({ key }) => key);
  const wanted = draft?.keys ?? current;
  // What was made meanwhile stands at the end.
  const rows = [...wanted, ...current.filter((key) => !wanted.includes(key))].flatMap(
    (key) => listed.find((one) => one.key === key) ?? [],
  );
  const keys = rows.map(({ key }) => key);
  const form = useForm({ keys }, () => {});
  const move = (key: string, to: number) => {
    const others = keys.filter((one) => one !== key);
    setDraft({ keys: [...others.slice(0, to), key, ...others.slice(to)], before: draft ? draft.before : current });
    form.mend();
  };
  const discard = () => {
    setDraft(undefined);
    form.mend();
  };
  const save = async () => {
    if (!draft) return;
    try {
      await api(`POST ${path}/order`, { keys, before: draft.before ?? current });
    } catch (error) {
      const isConflict = error instanceof StaffApiError && error.code === StaffErrorCode.EditConflict;
      await invalidate([path]);
      // Saved once more, it stands upon what others have done.
      if (isConflict) setDraft({ keys, before: undefined });
      throw error;
    }
    await invalidate([path]);
    setDraft(undefined);
    onSaved();
  };
  return { rows, form, isChanged: keys.join() !== current.join(), move, discard, save };
}
