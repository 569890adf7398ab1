// Imported by package name: a path would bundle a second copy of the kit into the remote.
import { queryOptions, useQuery } from '@shop/shared/query';
import { ErrorState, Skeleton } from '@shop/shared/ui';
import type { ReactNode } from 'react';

interface QrCodeProps {
  text: string;
  /** The accessible name: what scanning the code does. */
  label: string;
}

interface Drawing {
  /** Modules of a side. */
  size: number;
  path: string;
}

/** Side of the picture in px. */
const sidePx = 208;
/** Light border that a reader needs (ISO/IEC 18004): four modules. */
const quiet = 4;

/** The encoder is a separate chunk, because few users pay by QR code. */
async function encode(text: string): Promise<Drawing> {
  const { create } = await import('qrcode');
  const { modules } = create(text, { errorCorrectionLevel: 'M' });
  let path = '';
  for (let row = 0; row < modules.size; row += 1) {
    for (let column = 0; column < modules.size; column += 1) {
      if (modules.get(row, column)) path += `M${column} ${row}h1v1h-1z`;
    }
  }
  return { size: modules.size, path };
}

const drawingQuery = (text: string) =>
  queryOptions({ queryKey: ['qr-code', text], queryFn: () => encode(text), staleTime: Number.POSITIVE_INFINITY });

/** Dark on light in both themes, because readers expect that. */
export function QrCode({ text, label }: QrCodeProps): ReactNode {
  const { data: drawing, error, refetch } = useQuery(drawingQuery(text));
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!drawing) return <Skeleton width={sidePx} height={sidePx} />;
  const width = drawing.size + 2 * quiet;
  return (
    <svg
      role="img"
      aria-label={label}
      width={sidePx}
      height={sidePx}
      viewBox={`${-quiet} ${-quiet} ${width} ${width}`}
      shapeRendering="crispEdges"
    >
      <rect x={-quiet} y={-quiet} width={width} height={width} fill="#fff" />
      <path d={drawing.path} fill="#000" />
    </svg>
  );
}
