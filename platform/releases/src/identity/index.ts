export { authorOf, type Grant, type Identity, ROLES, type Role } from './identity';
export { checkGrant, containsKey, type ListedKey, type NewKey, ReleaseKeys } from './keys';
export { limitsOf, refusalOf, type Wanted } from './permission';
