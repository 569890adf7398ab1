import { IsolatedRenderer, type RendererOptions, type RenderFault } from '../renderer';
import { renderRequest, ServerBuilds } from './server-builds';

export function rendererTest(limits: RendererOptions['limits']) {
  const builds = new ServerBuilds();
  const open: IsolatedRenderer[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((renderer) => renderer.close()));
  });
  afterAll(() => builds.remove());
  return {
    builds,
    newRenderer(options: RendererOptions = {}) {
      const renderer = new IsolatedRenderer({ ...options, limits: { processes: 1, ...limits, ...options.limits } });
      open.push(renderer);
      return renderer;
    },
    pages: (bodies: Record<string, string>, version = '2.0.0-22222222') => ({ version, pages: bodies }),
    async outcome(
      renderer: IsolatedRenderer,
      set: Parameters<IsolatedRenderer['render']>[0],
      path: string,
      user?: string,
    ) {
      const faults: RenderFault[] = [];
      const page = await renderer.render(set, renderRequest(path), (fault) => faults.push(fault), user);
      return { html: page?.html, fault: faults[0] };
    },
  };
}
