export const CACHE_PREFIX = 'offline-';
export const OFFLINE_URL = '/offline.html';
