/** In the place of react-router-dom, which the kit's links need in the shop: the console has no router (ADR 0012). */
import type { ComponentProps } from 'react';

export const Link = ({ to, ...props }: ComponentProps<'a'> & { to: string }) => <a {...props} href={to} />;
