/** A list of this device, newest first. It is lost silently if storage is full or disabled. */
export function storedList<Item>(key: string, limit: number, isItem: (value: unknown) => value is Item) {
  return {
    read(): Item[] {
      try {
        const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
        return Array.isArray(stored) ? stored.filter(isItem).slice(0, limit) : [];
      } catch {
        return [];
      }
    },
    write(items: Item[]): Item[] {
      const kept = items.slice(0, limit);
      try {
        localStorage.setItem(key, JSON.stringify(kept));
      } catch {
        // The list is optional.
      }
      return kept;
    },
  };
}
