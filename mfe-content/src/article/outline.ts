/** Reads the headings without a parser, so that it also runs on a server; the text is only ever shown as text. */
export function outlineOf(html: string): string[] {
  return Array.from(html.matchAll(/<h2\b[^>]*>([\s\S]*?)<\/h2>/gi), (match) =>
    decode((match[1] ?? '').replace(/<[^>]*>/g, '')).trim(),
  ).filter(Boolean);
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' };
const decode = (text: string) =>
  text.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => entities[name] ?? '');
