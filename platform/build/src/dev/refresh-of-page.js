// This module is first in the shell's development build, because React looks for a refresh runtime when it is loaded.
const refresh = require('react-refresh/runtime');

refresh.injectIntoGlobalHook(globalThis);
globalThis.$RefreshSig$ = () => (type) => type;
globalThis.$RefreshReg$ = () => {};
globalThis.__PLATFORM_DEV__.refresh = refresh;
