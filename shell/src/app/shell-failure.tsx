/**
 * What the shell does about itself: it is watched like every release, and one that throws gives way to the one before it. The
 * other half stands in the document, for a shell that never starts (document/src/boot/shell-fallback.ts).
 */
import { useRouteError } from '@shop/shared/router';
import { useEffect } from 'react';
import { flush, reportShell } from '../releases/health';

const brokenKey = 'brokenShell';

/**
 * Takes the document for this shell. False when another shell runs in it already, or when this tab knows that this one throws.
 * @param address of this shell's script
 */
export function claimDocument(address: string): boolean {
  const { dataset } = document.documentElement;
  if (dataset.started !== undefined || (dataset.broken && address.includes(`/${dataset.broken}/`))) return false;
  dataset.started = '';
  delete dataset.failed;
  return true;
}

/** The shell itself has thrown and nothing is drawn: this tab goes on with the shell before it, or else says so in words. */
export function shellFailed(error?: unknown, reload = () => window.location.reload()): void {
  console.error('the shell has failed', error);
  const { shell, before, rescued } = document.documentElement.dataset;
  const canRecover = Boolean(shell && before && rescued === undefined && remember(shell));
  reportShell('render', canRecover);
  if (canRecover) {
    flush();
    reload();
    return;
  }
  remember('');
  document.documentElement.dataset.failed = '';
}

function remember(version: string): boolean {
  try {
    if (version) sessionStorage.setItem(brokenKey, version);
    else sessionStorage.removeItem(brokenKey);
    return true;
  } catch {
    return false;
  }
}

/** Stands at the root of the routes; draws nothing, because what it would draw with may be what throws. */
export function ShellFailure(): null {
  const error = useRouteError();
  useEffect(() => shellFailed(error), [error]);
  return null;
}
