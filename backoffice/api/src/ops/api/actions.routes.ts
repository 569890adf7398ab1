import { ACTIONS, type ActionRequest, authorOf, limitsOf } from '@platform/releases';
import type { App } from '@shop/server/platform/http/request';
import { actionSchemas, answers, tags } from './ops-api.schemas';
import type { ActionOptions, ReleaseApi } from './release-api';

export function actionRoutes(app: App, api: ReleaseApi): void {
  for (const name of ACTIONS) {
    const isStreamed = name === 'promote' || name === 'gate';
    const schema = { tags, body: actionSchemas[name], response: isStreamed ? { default: answers.default } : answers };
    app.post<{ Body: Partial<ActionOptions> & Record<string, unknown> }>(
      `/${name}`,
      { schema },
      async (request, reply) => {
        const { channel = api.options.channel, why, dryRun, ...rest } = request.body;
        const action = { action: name, ...rest } as unknown as ActionRequest;
        const identity = api.requireAllowed(request, action, channel, request.body);
        const author = {
          channel,
          why,
          dryRun,
          by: authorOf(identity),
          role: identity.role,
          limits: limitsOf(identity),
        };
        return api.answer(request, reply, action, author);
      },
    );
  }
}
