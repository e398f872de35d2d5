import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Visitor } from '../pages/browser.ts';
import { ROLES, VALUES } from './contract.ts';

/** An operation that needs a role, such as `POST /pools`. */
export type Operation = keyof typeof ROLES;

export const isStaff = ({ roles }: Visitor): boolean => VALUES.Role.some((role) => roles.includes(role));

const Session = createContext<Visitor | null>(null);
export const SessionProvider = Session.Provider;

/** The person who is signed in, and a test of what their roles allow. The service decides; this only hides buttons. */
export function useMe(): Visitor & { may(operation: Operation): boolean } {
  const me = useContext(Session);
  if (me === null) throw new Error('There is no session around this part of the console.');
  return { ...me, may: (operation) => ROLES[operation].some((role) => me.roles.includes(role)) };
}
