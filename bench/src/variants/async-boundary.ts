/** The asynchronous boundary that shared libraries need when they are not eager. */
import('../../../shell/src/main');
