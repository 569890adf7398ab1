export { recordKey } from './chain';
