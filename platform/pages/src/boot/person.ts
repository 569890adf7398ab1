/**
 * Runs before the boot script in documents that were drawn for a person (`data-person`, the first letters of the session's token):
 * where another session, or none, is in the browser's storage, the page is not shown, and the shell draws it anew.
 */
import { removeOtherPersons } from './other-persons';

removeOtherPersons();
