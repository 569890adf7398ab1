import './skeleton.css';
import { classNames } from './class-names';

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
