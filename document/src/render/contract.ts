/** The types stand in the release contract, because a shell implements them. */
export {
  MAX_WANTED,
  type PageRenderer,
  type ReleaseSet,
  type RenderedPage,
  type RenderRequest,
  SERVER_MAIN,
  type ServerBuild,
} from '@shop/release/contract';
