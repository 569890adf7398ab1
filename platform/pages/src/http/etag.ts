/**
 * Whether a request's If-None-Match names this content: a list of tags, compared weakly (RFC 9110). `base` is the tag without its
 * quotes, or the common prefix of the tags of all encodings of the content.
 */
export function matchesEtag(ifNoneMatch: string | undefined, base: string): boolean {
  if (!ifNoneMatch) return false;
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, '').replace(/^"|"$/g, ''));
  return ifNoneMatch === '*' || tags.some((tag) => tag.startsWith(base));
}
