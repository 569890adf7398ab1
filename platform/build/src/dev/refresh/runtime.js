// What a remote's build takes for react-refresh: the page has one runtime, that of the shell, which React knows.
module.exports = globalThis.__PLATFORM_DEV__.refresh;
