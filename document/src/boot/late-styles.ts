/**
 * Applies style sheets that the first paint did not wait for, because the document has inlined what it needs of them. Together: an
 * earlier one alone would win over the inlined rules of a later one.
 */
export function applyLateStyles(): void {
  if (!document.documentElement.dataset.rendered) return;
  const apply = () => {
    const late = document.querySelectorAll<HTMLLinkElement>('link[data-late]');
    // Others may follow.
    if (document.readyState === 'loading') return;
    for (let index = 0; index < late.length; index += 1) if (late[index]?.dataset.late === '') return;
    for (let index = 0; index < late.length; index += 1) (late[index] as HTMLLinkElement).media = 'all';
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
}
