/** Replaces react-router-dom, which the links of the UI kit import: the console has no router (ADR 0012). */
import type { ComponentProps } from 'react';

export const Link = ({ to, ...props }: ComponentProps<'a'> & { to: string }) => <a {...props} href={to} />;
