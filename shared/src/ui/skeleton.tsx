import './skeleton.css';
import { classNames } from './class-names';
import { ErrorState } from './empty';

interface SkeletonProps {
  width?: number | string;
  height?: number | string;
  /** Number of text lines, the last one shorter. */
  lines?: number;
  shape?: 'block' | 'text' | 'card';
  className?: string;
}

/** A placeholder of the final size, hidden from screen readers (mark the list with aria-busy instead). */
export function Skeleton({ width, height, lines, shape = lines ? 'text' : 'block', className }: SkeletonProps) {
  const classes = classNames('ui-skeleton', `ui-skeleton--${shape}`, className);
  if (lines) {
    return (
      <span className="ui-skeleton-lines" aria-hidden="true" style={{ width }}>
        {Array.from({ length: lines }, (_, line) => (
          <span key={line} className={classes} style={{ height }} />
        ))}
      </span>
    );
  }
  return <span className={classes} style={{ width, height }} aria-hidden="true" />;
}

interface WaitingProps {
  query: { error: unknown; refetch: () => unknown };
  /** Heights of the skeleton's cards, in px. */
  heights: readonly number[];
  className?: string;
}

/** Renders a skeleton until there is an answer, and after a failure a button that tries again. */
export function Waiting({ query: { error, refetch }, heights, className = 'ui-gap-4' }: WaitingProps) {
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <div className={`ui-stack ${className}`} aria-busy="true">
      {heights.map((height, place) => (
        <Skeleton key={place} shape="card" height={height} />
      ))}
    </div>
  );
}
