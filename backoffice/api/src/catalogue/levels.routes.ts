import type { DomainOptions } from '@shop/server/context';
import { callFor } from '../calls';
import { editCalls } from '../edits/edits.routes';
import { StaffLevelSchema } from './levels.schemas';
import { levelEditable, listLevels } from './levels.service';

export const levelCalls = (options: DomainOptions) => ({
  'GET levels': callFor('givenLevels')({}, () => listLevels(options.reads)),
  ...editCalls(options, { path: 'levels', area: 'levels', schema: StaffLevelSchema, editable: levelEditable }),
});
