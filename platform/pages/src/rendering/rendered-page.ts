import { MAX_WANTED, type RenderedPage } from '@platform/releases';

/** Maximum characters of each part. A page has about 40,000. */
const LONGEST = { html: 1_000_000, queryState: 1_000_000, address: 2_000 };

const isText = (value: unknown, longest: number): value is string =>
  typeof value === 'string' && value.length <= longest;
const isOptionalText = (value: unknown) => value === undefined || isText(value, LONGEST.address);
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
/** A path of this site, which no release can turn into another origin. */
const isOwnAddress = (value: unknown): value is string =>
  isText(value, LONGEST.address) && /^\/(?![/\\])[^\s"'<>\\]*$/.test(value);

/** Parses a page that a process has sent; returns undefined when it is not one. The process may run untrusted code. */
export function toRenderedPage(value: unknown): RenderedPage | undefined {
  if (!isRecord(value)) return undefined;
  const { html, queryState, wanted, image } = value;
  if (!isText(html, LONGEST.html) || !isText(queryState, LONGEST.queryState) || !isJson(queryState)) return undefined;
  if (!Array.isArray(wanted) || wanted.length > MAX_WANTED || !wanted.every(isOwnAddress)) return undefined;
  if (image === undefined) return { html, queryState, wanted };
  if (!isRecord(image) || !isText(image.href, LONGEST.address)) return undefined;
  if (!isOptionalText(image.srcset) || !isOptionalText(image.sizes)) return undefined;
  const { href, srcset, sizes } = image as NonNullable<RenderedPage['image']>;
  return { html, queryState, wanted, image: { href, ...(srcset && { srcset }), ...(sizes && { sizes }) } };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
