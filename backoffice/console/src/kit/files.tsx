import { Button, type ButtonProps } from '@shop/shared/ui';
import { useId, useRef, useState } from 'react';
import { api } from '../api';
import { useTexts } from './form';
import { Fault, Field, useAction } from './parts';

interface FileButtonProps extends Pick<ButtonProps, 'icon' | 'loading' | 'disabled' | 'children'> {
  accept: string;
  onFile(file: File): void;
}

/** Chooses a file; the same one may be chosen again. */
export function FileButton({ accept, onFile, ...button }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={accept}
        hidden
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) onFile(file);
          target.value = '';
        }}
      />
      <Button kind="secondary" {...button} onClick={() => input.current?.click()} />
    </>
  );
}

export function saveFile(name: string, content: string | Blob): void {
  const url = URL.createObjectURL(new Blob([content], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

const MOST_BYTES = 12 * 1024 * 1024;

export type PictureKind = 'goods' | 'banners' | 'items';

interface PictureFieldProps {
  label: string;
  kind: PictureKind;
  value: string;
  fault?: string;
  onValue(url: string): void;
}

/** A picture: the user chooses a file, the server crops it around a focus, and the field shows it as in the shop. */
export function PictureField({ label, kind, value, fault: wrong, onValue }: PictureFieldProps) {
  const { t } = useTexts();
  const id = useId();
  const [file, setFile] = useState<File | null>(null);
  const [focus, setFocus] = useState<[number, number]>([0.5, 0.5]);
  const { busy, fault, run } = useAction({ inline: true });
  const [large, setLarge] = useState(false);
  const request = useRef({ timer: 0, number: 0 });
  /** Sliders change often: only the last position is sent. */
  const place = (chosen: File, at: [number, number], wait = 0) => {
    setFile(chosen);
    setFocus(at);
    const number = ++request.current.number;
    clearTimeout(request.current.timer);
    request.current.timer = window.setTimeout(() => {
      void run(async () => {
        const [x, y] = at;
        const { url } = await api('POST pictures', { kind, x, y }, { file: chosen });
        if (number === request.current.number) onValue(url);
      });
    }, wait);
  };
  const choose = (chosen: File) => {
    setLarge(chosen.size > MOST_BYTES);
    if (chosen.size <= MOST_BYTES) place(chosen, [0.5, 0.5]);
  };
  return (
    <fieldset className="box picture" aria-describedby={`${id}-hint`}>
      <legend>{label}</legend>
      {value ? <img src={value} alt="" className={`picture__${kind}`} /> : <p className="hint">{t('picture.none')}</p>}
      <div className="stack starts">
        <div className="row">
          <FileButton accept="image/jpeg,image/png,image/webp,image/gif" icon="camera" loading={busy} onFile={choose}>
            {t('picture.choose')}
          </FileButton>
          {value && (
            <Button kind="secondary" icon="trash" onClick={() => onValue('')}>
              {t('picture.remove')}
            </Button>
          )}
        </div>
        <p className="hint" id={`${id}-hint`}>
          {t('picture.hint')}
        </p>
        {file && value && (
          <fieldset className="pair">
            <legend className="hint">{t('picture.focus')}</legend>
            {(['across', 'down'] as const).map((axis, index) => (
              <Field
                key={axis}
                type="range"
                min={0}
                max={100}
                step={5}
                label={t(`picture.${axis}`)}
                value={Math.round((focus[index] ?? 0.5) * 100)}
                onValue={(text) =>
                  place(file, index === 0 ? [Number(text) / 100, focus[1]] : [focus[0], Number(text) / 100], 300)
                }
              />
            ))}
          </fieldset>
        )}
        {(large || fault || wrong) && <Fault>{large ? t('picture.large') : fault || wrong}</Fault>}
      </div>
    </fieldset>
  );
}
