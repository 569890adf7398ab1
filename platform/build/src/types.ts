/** Types of the recipe, for its JavaScript files too: they run in the bundler's process, which loads no TypeScript. */

import type { ReleaseUses } from '@platform/releases';
import type { FileGroup, RemoteContract } from '@platform/releases/contract';
import type { Configuration, Stats } from '@rspack/core';

export interface Singleton {
  version: string;
  /** In a chunk of its own of the shell. */
  lazy?: boolean;
}

/** Where code imports functions from whose arguments name what it uses. */
interface NamedModule {
  /** By which other packages import it. */
  name: string;
  /** Of its sources. */
  folder: string;
}

/** A page of a remote, by its name in `routes`. */
export interface LinkedPage {
  path: string;
  /** Undefined for a remote outside of the product. */
  remote?: string;
}

/** How code names the pages and calls that it uses. */
export interface UsedModules {
  links?: NamedModule & { function: string; routes: Record<string, LinkedPage> };
  calls?: NamedModule & {
    /** HTTP method by the name of the function. */
    methods: Record<string, string>;
    /** The calls of the server, such as 'GET /api/list'; without them every call is allowed. */
    names?: readonly string[];
  };
}

/** What a product builds its shell and its remotes with. */
export interface ProductRecipe {
  /** By the name of the import. */
  singletons: Record<string, Singleton>;
  /** npm scopes whose packages are sources. */
  scopes: readonly string[];
  /** Where its packages are installed. */
  folder: string;
  uses?: UsedModules;
}

export interface ConfigOptions {
  /** The release's; a build that is never published has none. */
  version?: string;
  mode?: 'production' | 'development';
  /** The build that renders pages. */
  server?: boolean;
  /** With Fast Refresh. */
  hot?: boolean;
}

/** Every rule, plugin and list that the recipe itself writes. */
export type WholeConfiguration = Configuration & {
  output: NonNullable<Configuration['output']> & { path: string };
  resolve: { extensions: string[]; alias: Record<string, string> };
  module: { rules: NonNullable<NonNullable<Configuration['module']>['rules']> };
  plugins: NonNullable<Configuration['plugins']>;
};

/** Files of each page of a remote besides its entry, and the singletons that it takes. */
export interface DescribedRemote {
  exposes: Record<string, FileGroup & { shares?: string[] }>;
  needs: string[];
}

export interface Recipe {
  hostConfig(directory: string, options?: ConfigOptions): WholeConfiguration;
  remoteConfig(directory: string, options?: ConfigOptions): WholeConfiguration;
  /** Of what takes no part in the federation. */
  commonConfig(directory: string, options: { uniqueName: string } & ConfigOptions): WholeConfiguration;
  /** Files of the shell's lazy singletons. */
  describeHost(stats: Stats): Record<string, FileGroup>;
  describeRemote(stats: Stats, contract: RemoteContract): DescribedRemote;
  /** What the files of a build use of other releases and of the API. */
  usesOf(files: Iterable<string>, directory: string): ReleaseUses;
  singletons: Record<string, Singleton>;
}

/** What compile.cjs is sent. */
export interface CompileRequest {
  id: number;
  name: string;
  directory: string;
  version: string;
  output: string;
  mode: 'production' | 'development';
  /** Adds source maps. */
  mapped?: boolean;
}

/** What compile.cjs answers. */
export interface Compiled {
  entry: FileGroup;
  /** Files of the shell's lazy singletons. */
  lazy: Record<string, FileGroup>;
  /** Null for the shell. */
  remote: DescribedRemote | null;
  /** By name, the version that the shell provides and the range that a remote needs. */
  singletons: Record<string, { version: string; range: string }>;
  /** Version of the container interface. */
  runtime: string;
  /** What its code uses of other releases and of the API. */
  uses: ReleaseUses;
}
