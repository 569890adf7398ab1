/**
 * Runs before the boot script in documents that were drawn for a person (`data-person`, the first letters of the session's token) or for
 * a browser without a session: where the browser's storage says otherwise, the page is not shown, and the shell draws it anew.
 */
import { removeOtherPersons } from './other-persons';

removeOtherPersons();
