import { go } from '../location';
import { Editor, type EditorProps } from './editor';

interface EditPageProps<T extends object> extends Omit<EditorProps<T>, 'fresh' | 'onSaved'> {
  /** Address of the list, and what leads back to it. */
  list: string;
  all: string;
  /** Of a new one; one that exists is headed by its key. */
  newTitle: string;
  isNew: boolean | undefined;
  fresh: T;
  /** Address of one that exists, without its key. */
  place: string;
}

/** A page with the form of one thing that people edit. A new one goes to its own address once it is saved. */
export function EditPage<T extends object>({ list, all, newTitle, isNew, fresh, place, ...editor }: EditPageProps<T>) {
  return (
    <>
      <a className="back-link" href={`#/${list}`}>
        ‹ {all}
      </a>
      <h1>{isNew ? newTitle : editor.itemKey}</h1>
      <Editor<T> {...editor} fresh={isNew ? fresh : undefined} onSaved={(key) => isNew && go(`${place}/${key}`)} />
    </>
  );
}
