import { BOOT_SCRIPT_HASH, BOOT_STYLE_HASH, PERSON_SCRIPT_HASH } from '../boot/boot-code';
import { site } from '../site/site';

interface PolicyOptions {
  devOrigins?: readonly string[];
  /** Source expression of another inline style. */
  style?: string;
  /** The document was drawn for a person. */
  isPersonal?: boolean;
  /** Beside the site's own: pictures and media may come from there. */
  pictureOrigins?: readonly string[];
}

/**
 * The document's Content-Security-Policy: every kind of request by name, so that what a page knows has nowhere to go but the site
 * (docs/adr/0003-isolation-and-recovery.md). Origins of development servers open it for their scripts, styles and sockets.
 */
export function contentPolicy({
  devOrigins = [],
  style = '',
  isPersonal = false,
  pictureOrigins = [],
}: PolicyOptions = {}): string {
  const development = devOrigins.length > 0;
  const origins = devOrigins.map((origin) => ` ${origin}`).join('');
  const pictures = pictureOrigins.map((origin) => ` ${origin}`).join('');
  const sockets = devOrigins.map((origin) => ` ${origin.replace(/^http/, 'ws')}`).join('');
  return [
    `default-src 'none'`,
    `script-src 'self' ${BOOT_SCRIPT_HASH}${isPersonal ? ` ${PERSON_SCRIPT_HASH}` : ''}${origins}`,
    // Development builds inject styles from scripts.
    development
      ? `style-src 'self' 'unsafe-inline'${origins}`
      : `style-src 'self' ${BOOT_STYLE_HASH}${style && ` ${style}`}`,
    // What "data:" and "blob:" name is in the page already.
    `img-src 'self' data: blob:${pictures}${origins}`,
    `media-src 'self'${pictures}${origins}`,
    `font-src 'self'${origins}`,
    `connect-src 'self'${origins}${sockets}`,
    `worker-src 'self'${origins}`,
    `manifest-src 'self'`,
    `frame-src 'none'`,
    `object-src 'none'`,
    `base-uri 'none'`,
    // Other sites are reached by a redirect of an own address, not by a form.
    `form-action 'self'`,
    `frame-ancestors 'none'`,
    // Development builds have no policy for Trusted Types.
    ...(development
      ? []
      : [
          `require-trusted-types-for 'script'`,
          `trusted-types ${['releases', ...site().trustedTypes].join(' ')} 'allow-duplicates'`,
        ]),
  ].join('; ');
}
