import { ErrorState, Skeleton } from '@shop/shared/ui';

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
