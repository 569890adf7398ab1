import { Button, toast } from '@shop/shared/ui';
import { useCallback, useEffect, useRef, useState } from 'react';
import { ask, dataOf } from '../api';
import { saveFile } from '../kit/files';
import { Fault, useAction } from '../kit/parts';
import { shopDay } from '../shop-time';
import type { Filter } from './list-filter';
import { useTexts } from './list-texts';

const MEGABYTE = 1_000_000;
const LINE_END = 10;

interface Progress {
  /** Orders received; NaN for a compressed file. */
  rows: number;
  total: number;
  megabytes: string;
}

/** Throws as `call` does, and if a text ends before its last row. */
async function receiveFile(path: string, signal: AbortSignal, onProgress: (progress: Progress) => void): Promise<Blob> {
  const response = await ask(path, { signal });
  if (!response.headers.has('content-disposition') || !response.body) return dataOf<Blob>(response);
  const total = Number(response.headers.get('x-total-rows'));
  const reader = response.body.getReader();
  const parts: Array<Uint8Array<ArrayBuffer>> = [];
  let bytes = 0;
  // The first line has the headings.
  let rows = response.headers.get('content-type')?.startsWith('text/') ? -1 : Number.NaN;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    bytes += part.value.length;
    for (const byte of part.value) if (byte === LINE_END) rows += 1;
    onProgress({ rows, total, megabytes: (bytes / MEGABYTE).toFixed(1) });
  }
  if (rows < total) throw new Error('the file is incomplete');
  return new Blob(parts);
}

/** Saves all orders of the filter as a file. Leaving the page cancels it. */
export function ExportOrders({ filter }: { filter: Filter }) {
  const { t } = useTexts();
  const { busy, fault, run } = useAction({ inline: true });
  const [progress, setProgress] = useState<Progress>();
  const controller = useRef<AbortController>(undefined);
  const cancel = useCallback(() => controller.current?.abort(), []);
  useEffect(() => cancel, [cancel]);
  const save = async (format: string) => {
    controller.current = new AbortController();
    const { signal } = controller.current;
    setProgress(undefined);
    const query = new URLSearchParams({ ...filter, format });
    try {
      saveFile(`orders-${shopDay(0)}.${format}`, await receiveFile(`orders/export?${query}`, signal, setProgress));
      toast.success(t('exported'));
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  };
  const { rows, total } = progress ?? { rows: Number.NaN, total: 0 };
  return (
    <div className="row">
      {['csv', 'xlsx'].map((format) => (
        <Button key={format} kind="secondary" disabled={busy} onClick={() => void run(() => save(format))}>
          {t('export', { format: format.toUpperCase() })}
        </Button>
      ))}
      {busy && (
        <>
          <p>
            <progress aria-label={t('progress')} {...(rows >= 0 && { value: rows, max: total })} />{' '}
            {progress && t(rows >= 0 ? 'rows' : 'megabytes', { ...progress })}
          </p>
          <Button kind="ghost" onClick={cancel}>
            {t('cancel')}
          </Button>
        </>
      )}
      {fault && <Fault>{`${fault} ${t('notSaved')}`}</Fault>}
    </div>
  );
}
