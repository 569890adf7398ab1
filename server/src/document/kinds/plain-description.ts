import sanitizeHtml from 'sanitize-html';

const LONGEST = 160;

const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];
const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

export function plainDescription(html: string): string {
  const spaced = html.replace(/<(?:\/(?:p|li|h\d|td|th|tr|blockquote|pre)|[bh]r)\b/gi, ' $&');
  const text = sanitizeHtml(spaced, { allowedTags: [], allowedAttributes: {}, nonTextTags: HEADINGS })
    .replace(/&(?:amp|lt|gt|quot);/g, (entity) => ENTITIES[entity] ?? entity)
    .replace(/\s+/g, ' ')
    .trim();
  return shorten(text);
}

export function shorten(text: string): string {
  const characters = [...text];
  if (characters.length <= LONGEST) return text;
  const cut = characters.slice(0, LONGEST - 1).join('');
  const end = cut.search(/[\s，。；、,.;][^\s，。；、,.;]*$/);
  return `${(end > LONGEST / 2 ? cut.slice(0, end) : cut).trimEnd()}…`;
}
