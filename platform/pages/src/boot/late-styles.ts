/** A style sheet that hangs delays the others for at most this time. */
const TIMEOUT_MS = 5_000;

/**
 * Applies the style sheets that the first paint did not wait for, because the document inlines the rules that it needs. They are
 * applied together: an earlier one alone would override the inlined rules of a later one.
 */
export function applyLateStyles(): void {
  if (!document.documentElement.dataset.rendered) return;
  let isOverdue = false;
  const apply = () => {
    if (document.readyState === 'loading') return;
    const pending = document.querySelectorAll('link[data-late=""]');
    if (pending.length > 0 && !isOverdue) return;
    const settled = document.querySelectorAll<HTMLLinkElement>('link[data-late="settled"]');
    for (let index = 0; index < settled.length; index += 1) (settled[index] as HTMLLinkElement).media = 'all';
  };
  const settle = ({ target }: Event) => {
    const { dataset } = target as HTMLElement;
    if (dataset?.late !== '') return;
    dataset.late = 'settled';
    apply();
  };
  document.addEventListener('load', settle, true);
  document.addEventListener('error', settle, true);
  document.addEventListener('readystatechange', apply);
  setTimeout(() => {
    isOverdue = true;
    apply();
  }, TIMEOUT_MS);
}
