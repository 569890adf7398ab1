export { maskPhone } from '@shop/shared/domain/mask-phone';

/** "an***@mail.example" */
export const maskEmail = (email: string): string => email.replace(/^(.{0,2}).*(@.*)$/, '$1***$2');
