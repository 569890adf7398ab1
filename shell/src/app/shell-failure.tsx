import { shellFailed } from '@platform/host/shell-start';
import { useRouteError } from '@shop/shared/router';
import { useEffect } from 'react';

/** Error boundary of the root route. It renders nothing, because the interface kit itself may throw. */
export function ShellFailure(): null {
  const error = useRouteError();
  useEffect(() => shellFailed(error), [error]);
  return null;
}
