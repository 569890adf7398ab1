/**
 * Runs before the boot script in documents that were rendered for a user (`data-user`, the first letters of the session's token) or for
 * a browser without a session: where the browser's storage says otherwise, the page is not shown, and the shell renders it again.
 */
import { removeOtherUsers } from './other-users';

removeOtherUsers();
