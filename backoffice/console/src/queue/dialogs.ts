/** One piece of code that comes later. */
export { AskDialog } from './ask-dialog';
export { RefundDialog } from './refund-dialog';
