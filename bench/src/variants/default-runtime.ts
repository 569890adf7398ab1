/** Module Federation's own runtime with remotes that the build knows, as in its documentation. */
import { loadRemote } from '@module-federation/runtime';
import { pageIn } from './page-in';

/** In the shop each release has its own container name; here a remote has its plain name. */
export const { containerRuntime, containerName } = pageIn((name, page) => loadRemote(`${name}/${page}`));
