export { maskEmail, maskIdentifier, maskPhone } from '@shop/shared/domain/mask-phone';
