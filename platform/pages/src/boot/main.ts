/**
 * The boot script: inlined in every document and run before the first paint. It is compiled to ES5, so that a browser too old for the shell
 * still shows the message. Therefore these modules avoid spread, for…of and array destructuring, which need helpers in ES5.
 */
import { holdFarPictures } from './far-pictures';
import { startFirstCalls } from './first-calls';
import { holdClicks } from './hold-clicks';
import { applyLateStyles } from './late-styles';
import { keepPreview } from './preview';
import { watchShell } from './shell-fallback';
import { applyThemeAndLanguage } from './theme-and-language';

const isReloading = applyThemeAndLanguage();
applyLateStyles();
const fetchNearPictures = holdFarPictures();
if (!isReloading) startFirstCalls();
holdClicks(fetchNearPictures);
keepPreview();
watchShell();
