export const CACHE_PREFIX = 'shop-offline-';
export const OFFLINE_URL = '/offline.html';
