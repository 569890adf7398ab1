/**
 * Runs before the boot script in documents that were rendered for a user (`data-user`, the first characters of the session's token) or for
 * a browser without a session. When the browser's storage differs, the page is hidden, and the shell renders it again.
 */
import { hideOtherUsersPage } from './other-users';

hideOtherUsersPage();
