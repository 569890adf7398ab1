import type { DomainOptions } from '@shop/server/context';
import { callFor } from '../calls';
import { editCalls } from '../edits/edits.routes';
import { StaffLevelSchema } from './levels.schemas';
import { levelEditable, listLevels } from './levels.service';

/** Levels of shoppers. Staff who manage accounts see them too, so that they can grant one. */
export const levelCalls = (options: DomainOptions) => ({
  'GET levels': callFor('givenLevels')({}, () => listLevels(options.reads)),
  ...editCalls(options, { path: 'levels', area: 'levels', schema: StaffLevelSchema, editable: levelEditable }),
});
