/** Module Federation's own runtime with remotes that the build knows, as in its documentation. */
import { loadRemote } from '@module-federation/runtime';
import { pageIn } from './page-in';

/** A release has a name of its own in the shell; here a remote is known under its plain name. */
export const { containerRuntime, containerName } = pageIn((name, page) => loadRemote(`${name}/${page}`));
