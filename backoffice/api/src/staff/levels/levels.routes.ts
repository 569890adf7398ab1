import type { DomainOptions } from '@shop/server/context';
import type { App } from '@shop/server/platform/http/request';
import { Type } from 'typebox';
import { callsFor } from '../calls';
import { editRoutes } from '../edits/edits.routes';
import { ListedLevelSchema, StaffLevelSchema } from './levels.schemas';
import { levelEditable, listLevels } from './levels.service';

/** Levels of shoppers. Who acts on accounts sees them too, to give one. */
export function levelRoutes(app: App, options: DomainOptions): void {
  callsFor(app, 'stock', 'money').get('levels', { answer: Type.Array(ListedLevelSchema) }, () =>
    listLevels(options.reads),
  );
  editRoutes(app, options, { path: 'levels', schema: StaffLevelSchema, editable: levelEditable });
}
