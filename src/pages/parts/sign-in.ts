import { h } from 'preact';

interface SignInProps {
  /** Where to come back to: an absolute address. */
  returnTo: string;
  text: string;
}

/** Leads to signing in and back. */
export const SignIn = ({ returnTo, text }: SignInProps) =>
  h(
    'p',
    null,
    h('a', { class: 'button', href: `auth/login?returnTo=${encodeURIComponent(returnTo)}` }, text),
  );
