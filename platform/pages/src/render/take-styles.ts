/** What a style attribute of a page may contain: declarations without a way out of their rule. */
const DECLARATIONS = /^[\w\s:;,.%()#/'+*!-]*$/;

export interface StyledHtml {
  html: string;
  /** Rules that stand for the style attributes, which the policy refuses. */
  rules: string;
}

/**
 * Turns style attributes into `data-style` with a rule for each. The shell turns them back (shell/src/app/hydrate.tsx). Attribute
 * values are escaped, so that a tag ends at its first `>`.
 */
export function takeStyles(html: string): StyledHtml {
  const styles = new Set<string>();
  const changed = html.replace(/<[a-z][^<>]*>/gi, (tag) =>
    tag.replace(/ style="([^"]*)"/i, (_, value: string) => {
      if (!DECLARATIONS.test(value)) return '';
      styles.add(value);
      return ` data-style="${value}"`;
    }),
  );
  const rules = [...styles].map((style) => `#root [data-style="${style}"]{${style}}`).join('');
  return { html: changed, rules };
}
