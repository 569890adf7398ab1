/** Types of the recipe, for its JavaScript files too: they run in the bundler's process, which loads no TypeScript. */

import type { ReleaseUses } from '@platform/releases';
import type { FileGroup, RemoteContract } from '@platform/releases/contract';
import type { Configuration, Stats } from '@rspack/core';

export interface Singleton {
  version: string;
  /** The shell loads it as a separate chunk. */
  lazy?: boolean;
}

/** A module whose functions name the used pages or calls in their arguments. */
interface NamedModule {
  name: string;
  folder: string;
}

export interface LinkedPage {
  path: string;
  /** Undefined for a remote outside the product. */
  remote?: string;
}

export interface UsedModules {
  links?: NamedModule & { function: string; routes: Record<string, LinkedPage> };
  calls?: NamedModule & {
    /** HTTP method by the name of the function. */
    methods: Record<string, string>;
    /** The calls of the server, such as 'GET /api/list'; without them every call is allowed. */
    names?: readonly string[];
  };
}

export interface ProductRecipe {
  singletons: Record<string, Singleton>;
  /** npm scopes whose packages are sources. */
  scopes: readonly string[];
  /** The folder whose node_modules has its packages. */
  folder: string;
  uses?: UsedModules;
}

export interface ConfigOptions {
  /** Version of the release; a build that is never published has none. */
  version?: string;
  mode?: 'production' | 'development';
  /** The build that renders pages. */
  server?: boolean;
  /** The build supports Fast Refresh. */
  hot?: boolean;
}

/** A configuration with every rule, plugin and list that the recipe writes. */
export type WholeConfiguration = Configuration & {
  output: NonNullable<Configuration['output']> & { path: string };
  resolve: { extensions: string[]; alias: Record<string, string> };
  module: { rules: NonNullable<NonNullable<Configuration['module']>['rules']> };
  plugins: NonNullable<Configuration['plugins']>;
};

/** Files of each page of a remote besides its entry, and the singletons that it consumes. */
export interface DescribedRemote {
  exposes: Record<string, FileGroup & { shares?: string[] }>;
  needs: string[];
}

export interface Recipe {
  hostConfig(directory: string, options?: ConfigOptions): WholeConfiguration;
  remoteConfig(directory: string, options?: ConfigOptions): WholeConfiguration;
  /** Configures a build that takes no part in the federation. */
  commonConfig(directory: string, options: { uniqueName: string } & ConfigOptions): WholeConfiguration;
  /** Returns the files of the shell's lazy singletons. */
  describeHost(stats: Stats): Record<string, FileGroup>;
  describeRemote(stats: Stats, contract: RemoteContract): DescribedRemote;
  /** Returns the pages and calls of other releases and of the API that the files of a build use. */
  usesOf(files: Iterable<string>, directory: string): ReleaseUses;
  singletons: Record<string, Singleton>;
}

/** The message to compile.cjs. */
export interface CompileRequest {
  id: number;
  name: string;
  directory: string;
  version: string;
  output: string;
  mode: 'production' | 'development';
  mapped?: boolean;
}

/** The answer of compile.cjs. */
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
  uses: ReleaseUses;
}
