import { type Connection, currentConnection, isGoodNetwork, whenIdle } from './prefetch';

type FetchCode = () => Promise<unknown>;

/** The drawer, and the dialogs that a guest's Buy opens. */
const panels = (isGuest: boolean): FetchCode[] => [
  ...(isGuest ? [() => import('../login/account-dialogs')] : []),
  () => import('../layout/drawer'),
];

/** Fetches the code of overlays one after the other while the browser is idle, so that they open at once. */
export function prefetchPanels(
  isGuest: boolean,
  connection: Connection | undefined = currentConnection(),
  queue = panels(isGuest),
): void {
  const [fetchNext, ...rest] = queue;
  if (!fetchNext || !isGoodNetwork(connection)) return;
  // After a failure, the click fetches the code and shows the failure.
  whenIdle(
    () =>
      void fetchNext().then(
        () => prefetchPanels(isGuest, connection, rest),
        () => {},
      ),
  );
}
