/** Receipts of orders and top-ups. Each importer bundles them, so they are not in the shell's first script. */
export { Receipt, ReceiptLine } from './receipt';
