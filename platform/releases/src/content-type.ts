import { contentType } from 'mime-types';

export const contentTypeOf = (file: string): string =>
  (contentType(file.slice(file.lastIndexOf('.'))) || 'application/octet-stream').replace(
    'application/javascript',
    'text/javascript',
  );
