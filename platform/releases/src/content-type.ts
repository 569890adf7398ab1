import { contentType } from 'mime-types';

/** The content type by the extension of a file's name. Scripts have the type of RFC 9239, as in deploy/nginx. */
export const contentTypeOf = (file: string): string =>
  (contentType(file.slice(file.lastIndexOf('.'))) || 'application/octet-stream').replace(
    'application/javascript',
    'text/javascript',
  );
