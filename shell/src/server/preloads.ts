import type { RenderedPage } from '@platform/releases/contract';

const preloads = /^(?:<link rel="preload"[^>]*\/>)+/;

/** React writes preloads of pictures before the tree; they belong into the head. Only the first urgent picture is kept. */
export function takePreloads(rendered: string): Pick<RenderedPage, 'html' | 'image'> {
  const match = preloads.exec(rendered)?.[0] ?? '';
  const html = rendered.slice(match.length);
  const urgent = /<link [^>]*fetchPriority="high"[^>]*>/i.exec(match)?.[0];
  const href = urgent && attribute(urgent, 'href');
  if (!href) return { html };
  const srcset = attribute(urgent, 'imageSrcSet');
  const sizes = attribute(urgent, 'imageSizes');
  return { html, image: { href, ...(srcset && { srcset }), ...(sizes && { sizes }) } };
}

function attribute(element: string, name: string): string | undefined {
  const value = new RegExp(` ${name}="([^"]*)"`, 'i').exec(element)?.[1];
  return value
    ?.replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
