import { contentType } from 'mime-types';

/** By the extension of a file's name; scripts as RFC 9239 and deploy/nginx have it. */
export const contentTypeOf = (file: string): string =>
  (contentType(file.slice(file.lastIndexOf('.'))) || 'application/octet-stream').replace(
    'application/javascript',
    'text/javascript',
  );
