import DOMPurify from 'dompurify';

/** Typed as string for React; under Trusted Types it is a TrustedHTML of the policy `dompurify`. */
export type Sanitize = (html: string) => string;

DOMPurify.addHook('afterSanitizeAttributes', (node) => {
  if (node.nodeName !== 'A') return;
  if (node.getAttribute('target') === '_blank') node.setAttribute('rel', 'noopener noreferrer');
});

/**
 * Keeps text, lists, tables, links and pictures. Removes `style` attributes, which the content security policy refuses, and
 * prefixes ids, so that they cannot clash with the page's.
 */
export const sanitize: Sanitize = (html) => {
  const clean: unknown = DOMPurify.sanitize(html, {
    USE_PROFILES: { html: true },
    FORBID_TAGS: ['style', 'form', 'input', 'textarea', 'select', 'button', 'video', 'audio', 'dialog'],
    FORBID_ATTR: ['style'],
    ADD_ATTR: ['target'],
    SANITIZE_NAMED_PROPS: true,
    RETURN_TRUSTED_TYPE: true,
  });
  return clean as string;
};
