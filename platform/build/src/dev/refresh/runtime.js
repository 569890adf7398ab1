// Replaces react-refresh in the build of a remote: the page has one runtime, that of the shell, which React knows.
module.exports = globalThis.__PLATFORM_DEV__.refresh;
