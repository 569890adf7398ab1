export interface Section {
  id: string;
  title: string;
}

interface Outline {
  /** The article with an id and tabindex on each h2. */
  html: string;
  sections: Section[];
}

/** SafeHtml prefixes every id with this (DOMPurify's SANITIZE_NAMED_PROPS). */
const sanitisedPrefix = 'user-content-';
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' };

/**
 * Reads the h2 headings of an article. It parses the text, not a document, so that it runs on a server and under Trusted Types;
 * `prefix` separates the ids of several kept-alive articles.
 */
export function outlineOf(html: string, prefix: string): Outline {
  const sections: Section[] = [];
  const marked = html.replace(/<h2(?:\s[^>]*)?>([\s\S]*?)<\/h2>/gi, (whole, inner: string) => {
    const title = plainText(inner);
    if (!title) return whole;
    const id = `${prefix}-${sections.length + 1}`;
    sections.push({ id: sanitisedPrefix + id, title });
    return `<h2 id="${id}" tabindex="-1">${inner}</h2>`;
  });
  return { html: marked, sections };
}

function plainText(html: string): string {
  return html
    .replace(/<[^>]*>/g, '')
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => entities[name] ?? '')
    .replace(/\s+/g, ' ')
    .trim();
}
