export {
  authorOf,
  type Grant,
  type Identity,
  limitsOf,
  ROLES,
  type Role,
  refusalOf,
  type Wanted,
} from './identity';
export { checkGrant, containsKey, type ListedKey, type NewKey, ReleaseKeys } from './keys';
