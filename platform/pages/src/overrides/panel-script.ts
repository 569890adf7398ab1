import { browserCode } from '../browser/browser-code';

export const PANEL_URL = '/overrides/panel.js';
export const PANEL_SCRIPT = browserCode.overridesPanel;
