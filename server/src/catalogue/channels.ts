/** Channels of the mobile shop in the specification: carousel 4 and zones 3, both "new mobile". */
export const SWIPER_CHANNEL = 4;
export const MODULE_CHANNEL = 3;
