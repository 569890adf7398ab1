/** Applies style sheets that the first paint did not wait for, because the document has inlined what it needs of them. */
export function applyLateStyles(): void {
  if (!document.documentElement.dataset.rendered) return;
  document.addEventListener(
    'load',
    (event) => {
      const { media, dataset } = event.target as HTMLLinkElement;
      if (media === 'print' && dataset.late !== undefined) (event.target as HTMLLinkElement).media = 'all';
    },
    true,
  );
}
