export * from './manifest';
export * from './map';
export * from './select';
