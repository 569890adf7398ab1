import type { DomainRoutes } from '../context';
import { LevelListSchema, OwnLevelSchema } from './levels.schemas';
import { levels, ownLevel } from './levels.service';

export const levelsRoutes: DomainRoutes = async (app, { reads, publicReads, userReads }) => {
  publicReads.serve(app, '/api/front/level/list', { data: LevelListSchema }, (_query, { locale }) => ({
    dependsOn: ['levels'],
    load: async () => ({ data: await levels(reads, locale) }),
  }));
  userReads.serve(app, '/api/front/user/level', { data: OwnLevelSchema }, (_query, { viewer }) =>
    ownLevel(reads, viewer),
  );
};
