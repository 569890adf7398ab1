import { type Connection, currentConnection, isGoodNetwork, whenIdle } from './prefetch';

type FetchCode = () => Promise<unknown>;

/** The drawer, and what a guest's Buy opens. */
const panels = (isGuest: boolean): FetchCode[] => [
  ...(isGuest ? [() => import('../login/account-dialogs')] : []),
  () => import('../layout/drawer'),
];

/** Fetches the code that a press opens over the page, one after the other while the browser is idle, so that it opens at once. */
export function prefetchPanels(
  isGuest: boolean,
  connection: Connection | undefined = currentConnection(),
  queue = panels(isGuest),
): void {
  const [fetchNext, ...rest] = queue;
  if (!fetchNext || !isGoodNetwork(connection)) return;
  // Without it, the press fetches the code and shows a failure.
  whenIdle(
    () =>
      void fetchNext().then(
        () => prefetchPanels(isGuest, connection, rest),
        () => {},
      ),
  );
}
