export const documentHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'cross-origin-resource-policy': 'same-origin',
  // The name of a host can say what a page knows, and no policy holds the look-up of a name.
  'x-dns-prefetch-control': 'off',
};
