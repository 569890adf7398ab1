// Imported by package name: a path would bundle a second copy of the kit into the remote.
import { ErrorState, Skeleton } from '@shop/shared/ui';
import { type ReactNode, useEffect, useState } from 'react';

export interface QrCodeProps {
  text: string;
  /** The accessible name: what scanning the code does. */
  label: string;
  size?: number;
}

interface Drawing {
  text: string;
  side: number;
  path: string;
}

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
  return { text, side: modules.size, path };
}

/** Dark on light in both themes, because readers expect that. */
export function QrCode({ text, label, size = 208 }: QrCodeProps): ReactNode {
  const [drawing, setDrawing] = useState<Drawing | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` changes with "try again"
  useEffect(() => {
    let gone = false;
    setError(null);
    encode(text).then(
      (next) => gone || setDrawing(next),
      (reason: unknown) => gone || setError(reason),
    );
    return () => {
      gone = true;
    };
  }, [text, attempt]);
  if (error) return <ErrorState error={error} onRetry={() => setAttempt(attempt + 1)} />;
  if (drawing?.text !== text) return <Skeleton width={size} height={size} />;
  const width = drawing.side + 2 * quiet;
  return (
    <svg
      role="img"
      aria-label={label}
      width={size}
      height={size}
      viewBox={`${-quiet} ${-quiet} ${width} ${width}`}
      shapeRendering="crispEdges"
    >
      <rect x={-quiet} y={-quiet} width={width} height={width} fill="#fff" />
      <path d={drawing.path} fill="#000" />
    </svg>
  );
}
