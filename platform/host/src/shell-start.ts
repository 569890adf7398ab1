/**
 * Handles failures of the running shell: a shell that throws is replaced by its previous release.
 * platform/pages/src/boot/shell-fallback.ts handles a shell that never starts.
 */
import type { DocumentFlags } from '@platform/releases/contract';
import { flush, reportShell } from './health';
import { natives } from './natives';

const brokenKey = 'brokenShell';

/**
 * Whether this shell may run in the document: no other shell has started, and this tab has not seen this one throw.
 * @param url of this shell's script
 */
export function claimDocument(url: string): boolean {
  const flags: DocumentFlags = document.documentElement.dataset;
  if (flags.started !== undefined || (flags.broken && url.includes(`/${flags.broken}/`))) return false;
  flags.started = '';
  delete flags.failed;
  return true;
}

/** Handles an error that leaves nothing rendered: reloads with the previous shell, or shows the document's error text. */
export function shellFailed(error?: unknown, reload = () => natives.reload()): void {
  console.error('the shell has failed', error);
  const flags: DocumentFlags = document.documentElement.dataset;
  const { shell, before, rescued } = flags;
  // Without storage the next load would start the same shell.
  const canRecover = Boolean(
    shell && before && rescued === undefined && natives.sessionStorage.write(brokenKey, shell),
  );
  reportShell('render');
  if (canRecover) {
    flush();
    reload();
    return;
  }
  natives.sessionStorage.write(brokenKey, '');
  flags.failed = '';
}
