import { type Dispatch, type SetStateAction, useEffect, useState } from 'react';

/** Unsaved input by form, in the memory of this tab. It outlives its page and the end of a session. */
const drafts = new Map<string, unknown>();
let owner = '';

/** Another staff member must not get the drafts of the previous one. */
export function openDrafts(name: string): void {
  if (name !== owner) drafts.clear();
  owner = name;
}
export const hasDrafts = (): boolean => drafts.size > 0;
export const dropDrafts = (): void => drafts.clear();

/** State that is restored when its form opens again, as long as `isUnsaved`. Without a key it is plain state. */
export function useDraft<T>(
  key: string | undefined,
  start: T,
  isUnsaved: (value: T) => boolean,
): [T, Dispatch<SetStateAction<T>>] {
  const [value, setValue] = useState(() => (key !== undefined && drafts.has(key) ? (drafts.get(key) as T) : start));
  const unsaved = isUnsaved(value);
  useEffect(() => {
    if (key === undefined) return;
    if (unsaved) drafts.set(key, value);
    else drafts.delete(key);
  }, [key, value, unsaved]);
  return [value, setValue];
}
