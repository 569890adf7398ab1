/**
 * Responds to the server inside the runtime, in the isolate of the releases whose pages it renders
 * (docs/adr/0007-server-side-rendering.md). Releases may change anything here, so the server trusts no answer.
 */
const LONGEST_TEXT = 4_000;

let renderer;

export default {
  async fetch(request) {
    try {
      const message = await request.json();
      if (renderer) return Response.json({ page: await renderer.render(message) });
      const { set, main } = message;
      const build = await import(`${set.shell.directory.slice(1)}/${main}`);
      const created = await build.default.createRenderer(set);
      if (typeof created?.render !== 'function') throw new Error('createRenderer returned no renderer');
      renderer = created;
      return Response.json({ ready: true });
    } catch (error) {
      return Response.json({ error: describe(error) });
    }
  },
};

const cut = (text) => String(text ?? '').slice(0, LONGEST_TEXT);

function describe(error) {
  return {
    message: cut(error instanceof Error ? `${error.name}: ${error.message}` : error),
    // Removes the message in front of the stack, which would appear twice.
    stack: cut(String(error?.stack ?? '').replace(/^[\s\S]*?(?=^ +at )/m, '')),
  };
}
