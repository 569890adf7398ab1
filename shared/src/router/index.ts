/**
 * The part of react-router-dom that pages may use. An explicit list, because the whole library as a shared singleton costs
 * about 56 kB, and because a second router in a remote would not know the shell's history.
 */

export type { LoaderFunctionArgs, Location, NavigateFunction, RouteObject, To } from 'react-router-dom';
export {
  createBrowserRouter,
  isRouteErrorResponse,
  Link,
  matchPath,
  Navigate,
  NavLink,
  Outlet,
  RouterProvider,
  redirect,
  UNSAFE_LocationContext,
  UNSAFE_RouteContext,
  useBlocker,
  useLocation,
  useNavigate,
  useNavigation,
  useNavigationType,
  useOutlet,
  useParams,
  useRevalidator,
  useRouteError,
  useSearchParams,
} from 'react-router-dom';

export { usePageTitle, usePageTitleOf } from './page-title';
