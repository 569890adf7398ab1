import { ACTS, type ActRequest, authorOf, limitsOf } from '@platform/releases';
import type { App } from '@shop/server/platform/http/request';
import type { FastifyReply } from 'fastify';
import { authorsOf, describeAct } from '../proposals';
import { ApiError } from './api-error';
import { actSchemas, answers, ProposalIdSchema, StatusQuerySchema, tags } from './ops-api.schemas';
import type { Given, ReleaseApi } from './release-api';

const proposed = (reply: FastifyReply, message: string) => reply.code(202).send({ proposed: true, message });

/** Acts, and proposals of those that need two people. */
export function actRoutes(app: App, api: ReleaseApi): void {
  const { proposals, channel: defaultChannel } = api.options;

  for (const name of ACTS) {
    const isStreamed = name === 'promote' || name === 'gate';
    const response = isStreamed ? { 202: answers[202], default: answers.default } : answers;
    const schema = { tags, body: actSchemas[name], response };
    app.post<{ Body: Partial<Given> & Record<string, unknown> }>(`/${name}`, { schema }, async (request, reply) => {
      const { channel = defaultChannel, why, dryRun, ...rest } = request.body;
      // The schema of this act has checked it.
      const act = { act: name, ...rest } as unknown as ActRequest;
      const identity = api.requireAllowed(request, act, channel, request.body);
      const by = authorOf(identity);
      const limits = proposals.limitsFor(act, limitsOf(identity));
      if (dryRun || !proposals.isNeeded(act))
        return api.answer(request, reply, act, { channel, why, dryRun, by, limits });
      const { agreesAs } = api.callerOf(request);
      const person = agreesAs === null ? null : { subject: agreesAs, author: by };
      await proposals.propose({ act, channel, why, by, limits }, person);
      api.options.onAct?.();
      const what = describeAct(act);
      const isPerson = identity.kind === 'person' || identity.kind === 'break-glass';
      if (isPerson) return proposed(reply, `It is proposed: ${what}. Somebody else has to confirm it.`);
      throw new ApiError('proposed', 409, `${what} needs two people: it is proposed, and they confirm it at /ops`);
    });
  }

  app.get(
    '/proposals',
    {
      schema: {
        tags,
        summary: 'Acts that wait until people confirm them at /ops',
        querystring: StatusQuerySchema,
        response: answers,
      },
    },
    async ({ query }) => {
      const waiting = await proposals.list(api.channelOf(query));
      return { result: waiting.map(({ id, act, why, by, at, agreed }) => ({ id, act, why, by, at, agreed })) };
    },
  );
  for (const decision of ['confirm', 'decline'] as const) {
    const schema = { tags, params: ProposalIdSchema, response: answers };
    app.post(`/proposals/:id/${decision}`, { schema }, async (request, reply) => {
      const { id } = request.params;
      const proposal = await proposals.get(id, defaultChannel);
      if (!proposal)
        throw new ApiError('refused', 409, 'this proposal waits no more: it was begun, declined, or is a day old');
      const { act, why, limits } = proposal;
      const detail = { proposal: id, act: describeAct(act) };
      const identity = api.requireAllowed(request, act, defaultChannel, detail, decision);
      try {
        if (decision === 'decline') {
          await proposals.end(proposal);
          return reply.send({ result: { declined: true } });
        }
        const { agreesAs } = api.callerOf(request);
        if (agreesAs === null)
          throw new ApiError(
            'forbidden',
            403,
            'a key or the break-glass token is nobody: sign in as yourself to confirm',
          );
        const { missing, proposal: agreed } = await proposals.agree(proposal, {
          subject: agreesAs,
          author: authorOf(identity),
        });
        if (missing > 0) return proposed(reply, `You agree: ${describeAct(act)}. One more person has to confirm it.`);
        if (!(await proposals.end(proposal))) throw new ApiError('refused', 409, 'somebody else has just confirmed it');
        return await api.answer(request, reply, act, { channel: defaultChannel, why, by: authorsOf(agreed), limits });
      } finally {
        api.options.onAct?.();
      }
    });
  }
}
