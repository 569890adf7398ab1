import type { ShownState } from '@shop/backoffice/wire';
import { Button, Icon, IconButton, VisuallyHidden } from '@shop/shared/ui';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { StateTag } from '../edits/state-tag';
import { Form, FormFaults, Submit } from '../forms/form';
import { useTexts } from './texts';
import type { useOrder } from './use-order';

export interface OrderedRow {
  key: string;
  state: ShownState;
}

interface OrderedTableProps<T extends OrderedRow> {
  /** What it is a list of. */
  label: string;
  order: ReturnType<typeof useOrder<T>>;
  nameOf(one: T): string;
  /** The cell that names a row. */
  name(one: T): ReactNode;
}

/** A row that is being dragged: how far it is from its place, and where it would be dropped. */
interface Drag {
  key: string;
  from: number;
  y: number;
  by: number;
  to: number;
}

/** A list whose order is changed by dragging a row, by the arrow keys on its handle, or by its buttons, and then saved. */
export function OrderedTable<T extends OrderedRow>(props: OrderedTableProps<T>) {
  const { label, order, nameOf, name } = props;
  const { rows, form, isChanged, move, discard, save } = order;
  const { t } = useTexts();
  const hint = useId();
  const body = useRef<HTMLTableSectionElement>(null);
  const [drag, setDrag] = useState<Drag>();
  const [said, setSaid] = useState('');
  /** What had the focus when its row was moved: elements that change their place lose it. */
  const pressed = useRef<{ key: string; control: string }>(undefined);
  useEffect(() => {
    if (!pressed.current) return;
    const { key, control } = pressed.current;
    pressed.current = undefined;
    const row = [...(body.current?.rows ?? [])][rows.findIndex((one) => one.key === key)];
    const find = (wanted: string) => row?.querySelector<HTMLButtonElement>(`button[name="${wanted}"]:enabled`);
    (find(control) ?? find('handle'))?.focus();
  });

  const moveTo = (one: T, to: number, control: string) => {
    if (to < 0 || to >= rows.length || rows[to] === one) return;
    pressed.current = { key: one.key, control };
    move(one.key, to);
    setSaid(t('movedTo', { name: nameOf(one), place: to + 1, count: rows.length }));
  };
  /** The place of a row whose pointer is at this height: after all others whose middle is above it. */
  const placeAt = (y: number, from: number) => {
    const others = [...(body.current?.rows ?? [])].filter((_row, index) => index !== from);
    return others.filter((row) => {
      const { top, height } = row.getBoundingClientRect();
      return top + height / 2 < y;
    }).length;
  };
  const handle = (one: T, index: number) => ({
    onPointerDown: ({ button, currentTarget, pointerId, clientY }: PointerEvent<HTMLButtonElement>) => {
      if (button !== 0) return;
      currentTarget.setPointerCapture(pointerId);
      setDrag({ key: one.key, from: index, y: clientY, by: 0, to: index });
    },
    onPointerMove: ({ clientY }: PointerEvent) => {
      if (drag?.key === one.key) setDrag({ ...drag, by: clientY - drag.y, to: placeAt(clientY, index) });
    },
    onPointerUp: () => {
      if (drag?.key === one.key) moveTo(one, drag.to, 'handle');
      setDrag(undefined);
    },
    onPointerCancel: () => setDrag(undefined),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Escape') setDrag(undefined);
      const to = { ArrowUp: index - 1, ArrowDown: index + 1, Home: 0, End: rows.length - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      moveTo(one, to, 'handle');
    },
  });
  const classOf = (index: number) => {
    if (!drag) return undefined;
    if (index === drag.from) return 'is-dragged';
    if (drag.to === drag.from) return undefined;
    // Of the others, as placeAt counts them.
    const place = index > drag.from ? index - 1 : index;
    if (place === drag.to) return 'drops-before';
    return drag.to === rows.length - 1 && place === drag.to - 1 ? 'drops-after' : undefined;
  };
  const heads = ['move', 'name', 'state', 'acts'] as const;
  return (
    <Form form={form} className="list" label={label} onSubmit={save}>
      <p className="hint" id={hint}>
        {t('moveHint')}
      </p>
      <div className="table">
        <table className="card rows ordered" aria-label={label}>
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col" className={head === 'acts' ? 'is-acts' : undefined}>
                  {t(`heads.${head}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody ref={body}>
            {rows.map((one, index) => (
              <tr
                key={one.key}
                className={classOf(index)}
                style={drag?.key === one.key ? { transform: `translateY(${drag.by}px)` } : undefined}
              >
                <td className="is-sign">
                  <button
                    type="button"
                    name="handle"
                    className="plain handle"
                    aria-label={t('move', { name: nameOf(one), place: index + 1, count: rows.length })}
                    aria-describedby={hint}
                    {...handle(one, index)}
                  >
                    <Icon name="menu" />
                  </button>
                </td>
                <th scope="row">{name(one)}</th>
                <td className="is-sign">
                  <StateTag state={one.state} />
                </td>
                <td className="is-acts">
                  <IconButton
                    name="up"
                    icon="chevron-up"
                    label={t('up', { name: nameOf(one) })}
                    disabled={index === 0}
                    onClick={() => moveTo(one, index - 1, 'up')}
                  />
                  <IconButton
                    name="down"
                    icon="chevron-down"
                    label={t('down', { name: nameOf(one) })}
                    disabled={index === rows.length - 1}
                    onClick={() => moveTo(one, index + 1, 'down')}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <VisuallyHidden>
        <span role="status">{said}</span>
      </VisuallyHidden>
      <FormFaults form={form} label={() => undefined} />
      {isChanged && (
        <div className="row editor__bar">
          <Submit form={form}>
            {t('saveOrder')} <kbd>Ctrl Enter</kbd>
          </Submit>
          <Button kind="secondary" disabled={form.busy} onClick={discard}>
            {t('discardOrder')}
          </Button>
          <span className="hint">{t('unsavedOrder')}</span>
        </div>
      )}
    </Form>
  );
}
