import { Button, type ButtonProps } from '@shop/shared/ui';
import { useRef } from 'react';

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
