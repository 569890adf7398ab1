/** Elements by key, each drawn again only when its data has changed. */
export class KeyedView {
  private readonly drawn = new Map<string, { text: string; node: HTMLElement }>();

  constructor(private readonly holder: HTMLElement) {}

  /** Focus, open `details` and chosen options carry over to the new element. */
  draw(key: string, data: unknown, make: () => HTMLElement): void {
    const text = JSON.stringify(data);
    const known = this.drawn.get(key);
    if (known?.text === text) return;
    // An open list would close while somebody chooses from it.
    if (known && document.activeElement instanceof HTMLSelectElement && known.node.contains(document.activeElement))
      return;
    const node = make();
    if (known) replace(known.node, node);
    else this.holder.append(node);
    this.drawn.set(key, { text, node });
  }

  removeAllBut(keys: Set<string>): void {
    for (const [key, { node }] of this.drawn) {
      if (keys.has(key)) continue;
      node.remove();
      this.drawn.delete(key);
    }
  }
}

function replace(old: HTMLElement, next: HTMLElement): void {
  const counterpart = <T extends HTMLElement>(one: HTMLElement) =>
    next.querySelector<T>(`[data-key="${one.dataset.key}"]`);
  for (const details of old.querySelectorAll('details')) {
    const now = counterpart<HTMLDetailsElement>(details);
    if (now) now.open = details.open;
  }
  for (const select of old.querySelectorAll('select')) {
    const now = counterpart<HTMLSelectElement>(select);
    if (!now || !select.dataset.chosen || ![...now.options].some(({ value }) => value === select.value)) continue;
    now.value = select.value;
    now.dataset.chosen = '1';
  }
  const focused = old.contains(document.activeElement) ? (document.activeElement as HTMLElement) : null;
  old.replaceWith(next);
  if (focused) (counterpart(focused) ?? next.querySelector('button'))?.focus();
}
