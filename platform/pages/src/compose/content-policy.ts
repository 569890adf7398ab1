import { BOOT_STYLE_HASH, bootCode } from '../boot/boot-code';
import type { Site } from '../site/site';

interface PolicyOptions {
  site: Site;
  /** The CSP source expression of another inline style. */
  style?: string;
  isPersonal?: boolean;
  pictureOrigins?: readonly string[];
}

/**
 * The document's Content-Security-Policy. It names every kind of request, so that a page can send its data only to the site
 * (docs/adr/0003-isolation-and-recovery.md).
 */
export function contentPolicy({ site, style = '', isPersonal = false, pictureOrigins = [] }: PolicyOptions): string {
  const boot = bootCode(site);
  const pictures = pictureOrigins.map((origin) => ` ${origin}`).join('');
  return [
    `default-src 'none'`,
    `script-src 'self' ${boot.scriptHash}${isPersonal ? ` ${boot.userScriptHash}` : ''}`,
    `style-src 'self' ${BOOT_STYLE_HASH}${style && ` ${style}`}`,
    // The content of "data:" and "blob:" addresses is already in the page.
    `img-src 'self' data: blob:${pictures}`,
    `media-src 'self'${pictures}`,
    `font-src 'self'`,
    `connect-src 'self'`,
    `worker-src 'self'`,
    `manifest-src 'self'`,
    `frame-src 'none'`,
    `object-src 'none'`,
    `base-uri 'none'`,
    // A redirect of the site leads to other sites, not a form.
    `form-action 'self'`,
    `frame-ancestors 'none'`,
    `require-trusted-types-for 'script'`,
    `trusted-types ${['releases', ...site.trustedTypes].join(' ')} 'allow-duplicates'`,
  ].join('; ');
}
