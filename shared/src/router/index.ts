/**
 * The part of react-router-dom that pages may use. An explicit list, because the whole library as a shared singleton costs about
 * 56 kB, and because a second router in a remote would not know the shell's history.
 */

export type { Location, RouteObject } from 'react-router-dom';
export {
  createBrowserRouter,
  Link,
  matchPath,
  NavLink,
  RouterProvider,
  redirect,
  UNSAFE_LocationContext,
  useBlocker,
  useLocation,
  useNavigate,
  useNavigation,
  useNavigationType,
  useOutlet,
  useParams,
  useRouteError,
  useSearchParams,
} from 'react-router-dom';

// A separate file: the console's build has a react-router-dom that exports only Link, and leaves unused re-exports out.
export { usePageTitle, usePageTitleOf } from './page-title';
