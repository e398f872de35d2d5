import { PATHS } from '../paths.ts';
import { strings } from '../strings.ts';
import { publicAddress } from './link.tsx';

/** Leads to signing in in another tab, so that the page keeps its state. */
export function SignInAgain() {
  const returnTo = new URL(publicAddress(PATHS.overview), location.href).href;
  return (
    <a
      href={publicAddress(`/auth/login?returnTo=${encodeURIComponent(returnTo)}`)}
      target="_blank"
      rel="noreferrer"
    >
      {strings.signInAgain}
    </a>
  );
}
