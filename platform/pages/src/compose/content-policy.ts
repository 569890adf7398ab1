import { BOOT_SCRIPT_HASH, BOOT_STYLE_HASH, PERSON_SCRIPT_HASH } from '../boot/boot-code';

interface PolicyOptions {
  /** Of the site. */
  trustedTypes: readonly string[];
  /** Source expression of another inline style. */
  style?: string;
  /** The document was drawn for a person. */
  isPersonal?: boolean;
  /** Beside the site's own: pictures and media may come from there. */
  pictureOrigins?: readonly string[];
}

/**
 * The document's Content-Security-Policy: every kind of request by name, so that what a page knows has nowhere to go but the site
 * (docs/adr/0003-isolation-and-recovery.md).
 */
export function contentPolicy({
  trustedTypes,
  style = '',
  isPersonal = false,
  pictureOrigins = [],
}: PolicyOptions): string {
  const pictures = pictureOrigins.map((origin) => ` ${origin}`).join('');
  return [
    `default-src 'none'`,
    `script-src 'self' ${BOOT_SCRIPT_HASH}${isPersonal ? ` ${PERSON_SCRIPT_HASH}` : ''}`,
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
    `trusted-types ${['releases', ...trustedTypes].join(' ')} 'allow-duplicates'`,
  ].join('; ');
}
