/** The channels of the mobile shop: carousel 4 "new mobile", zones 3 "new mobile". */
export const SWIPER_CHANNEL = 4;
export const MODULE_CHANNEL = 3;
