import { BOOT_SCRIPT_HASH, BOOT_STYLE_HASH } from '../boot/boot-code';
import { escapeHtml } from '../site/html';

interface PolicyOptions {
  devOrigins?: readonly string[];
  /** Source expression of another inline style. */
  style?: string;
}

/** The document's Content-Security-Policy. Origins of development servers open it for their scripts, styles and sockets. */
export function contentPolicy({ devOrigins = [], style = '' }: PolicyOptions = {}): string {
  const development = devOrigins.length > 0;
  const origins = devOrigins.map((origin) => ` ${origin}`).join('');
  const sockets = devOrigins.map((origin) => ` ${origin.replace(/^http/, 'ws')}`).join('');
  return [
    `default-src 'self'`,
    `script-src 'self' ${BOOT_SCRIPT_HASH}${origins}`,
    // Development builds inject styles from scripts.
    development
      ? `style-src 'self' 'unsafe-inline'${origins}`
      : `style-src 'self' ${BOOT_STYLE_HASH}${style && ` ${style}`}`,
    `img-src 'self' data: blob: https:${origins}`,
    `connect-src 'self'${origins}${sockets}`,
    `font-src 'self'${origins}`,
    `object-src 'none'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
    // Development builds have no policy for Trusted Types.
    ...(development
      ? []
      : [`require-trusted-types-for 'script'`, `trusted-types shop-loader shop-html dompurify 'allow-duplicates'`]),
  ].join('; ');
}

/** For static hosts; `frame-ancestors` is not allowed in an element. */
export const policyElement = (policy: string) =>
  `<meta http-equiv="content-security-policy" content="${escapeHtml(policy.replace("; frame-ancestors 'none'", ''))}">`;
