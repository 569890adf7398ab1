import { retryImport } from '@shop/shared/http';

/** Also before the page is taken over, where the document came with the dialog. */
export const loadAccountDialogs = () => retryImport(() => import('./account-dialogs'));
