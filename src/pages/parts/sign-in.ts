import { h } from 'preact';

interface SignInProps {
  returnTo: string;
  text: string;
}

/** @param returnTo where to come back to: an absolute address */
export const signInAddress = (returnTo: string): string =>
  `auth/login?returnTo=${encodeURIComponent(returnTo)}`;

/** Leads to signing in and back. */
export const SignIn = ({ returnTo, text }: SignInProps) =>
  h('p', null, h('a', { class: 'button', href: signInAddress(returnTo) }, text));
