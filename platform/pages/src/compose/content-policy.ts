import { BOOT_STYLE_HASH, bootCode } from '../boot/boot-code';
import type { Site } from '../site/site';

interface PolicyOptions {
  site: Site;
  /** Source expression of another inline style. */
  style?: string;
  /** The document was rendered for a user. */
  isPersonal?: boolean;
  /** Beside the site's own: pictures and media may come from there. */
  pictureOrigins?: readonly string[];
}

/**
 * The document's Content-Security-Policy: every kind of request by name, so that what a page knows has nowhere to go but the site
 * (docs/adr/0003-isolation-and-recovery.md).
 */
export function contentPolicy({ site, style = '', isPersonal = false, pictureOrigins = [] }: PolicyOptions): string {
  const boot = bootCode(site);
  const pictures = pictureOrigins.map((origin) => ` ${origin}`).join('');
  return [
    `default-src 'none'`,
    `script-src 'self' ${boot.scriptHash}${isPersonal ? ` ${boot.userScriptHash}` : ''}`,
    `style-src 'self' ${BOOT_STYLE_HASH}${style && ` ${style}`}`,
    // What "data:" and "blob:" name is in the page already.
    `img-src 'self' data: blob:${pictures}`,
    `media-src 'self'${pictures}`,
    `font-src 'self'`,
    `connect-src 'self'`,
    `worker-src 'self'`,
    `manifest-src 'self'`,
    `frame-src 'none'`,
    `object-src 'none'`,
    `base-uri 'none'`,
    // Other sites are reached by a redirect of an own address, not by a form.
    `form-action 'self'`,
    `frame-ancestors 'none'`,
    `require-trusted-types-for 'script'`,
    `trusted-types ${['releases', ...site.trustedTypes].join(' ')} 'allow-duplicates'`,
  ].join('; ');
}
