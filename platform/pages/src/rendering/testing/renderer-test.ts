import { IsolatedRenderer, type RendererOptions, type RenderFault } from '../renderer';
import { asked, ServerBuilds } from './server-builds';

/** Creates renderers that end after each test of a file, and server builds that are removed after the last one. */
export function rendererTest(limits: RendererOptions['limits']) {
  const builds = new ServerBuilds();
  const open: IsolatedRenderer[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((one) => one.close()));
  });
  afterAll(() => builds.remove());
  return {
    builds,
    renderer(options: RendererOptions = {}) {
      const one = new IsolatedRenderer({ ...options, limits: { processes: 1, ...limits, ...options.limits } });
      open.push(one);
      return one;
    },
    pages: (given: Record<string, string>, version = '2.0.0-22222222') => ({ version, pages: given }),
    /** Renders the page and returns the fault, if a release is to blame. */
    async outcome(one: IsolatedRenderer, set: Parameters<IsolatedRenderer['render']>[0], path: string, user?: string) {
      const faults: RenderFault[] = [];
      const page = await one.render(set, asked(path), (fault) => faults.push(fault), user);
      return { html: page?.html, fault: faults[0] };
    },
  };
}
