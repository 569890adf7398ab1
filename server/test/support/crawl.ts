import { JSDOM } from 'jsdom';

export function crawl(html: string) {
  const { document } = new JSDOM(html).window;
  const all = (selector: string) => [...document.querySelectorAll(selector)];
  const attribute = (selector: string, name: string) => {
    const elements = all(selector);
    if (elements.length > 1) throw new Error(`${selector} occurs ${elements.length} times`);
    return elements[0]?.getAttribute(name) ?? undefined;
  };
  const entries = (selector: string, name: string, value: string): Record<string, string> =>
    Object.fromEntries(all(selector).map((element) => [element.getAttribute(name), element.getAttribute(value)]));
  return {
    lang: document.documentElement.lang,
    title: document.title,
    robots: attribute('meta[name=robots]', 'content'),
    description: attribute('meta[name=description]', 'content'),
    canonical: attribute('link[rel=canonical]', 'href'),
    alternates: entries('link[rel=alternate][hreflang]', 'hreflang', 'href'),
    card: {
      ...entries('meta[property]', 'property', 'content'),
      ...entries('meta[name^="twitter:"]', 'name', 'content'),
    },
    data: all('script[type="application/ld+json"]').map((script): { '@graph': Array<Record<string, unknown>> } =>
      JSON.parse(script.textContent ?? ''),
    ),
    scripts: all('script:not([type]), script[type="text/javascript"], script[type=module]').map(
      (script) => script.getAttribute('src') ?? script.textContent ?? '',
    ),
    document,
  };
}
