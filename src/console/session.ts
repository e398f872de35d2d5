import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { ROLES, VALUES } from './contract.ts';

/** Somebody of the staff who is signed in. */
export interface Me {
  playerGuid: string;
  username: string;
  roles: readonly string[];
}

/** An operation that needs a role, such as `POST /pools`. */
export type Operation = keyof typeof ROLES;

export const isStaff = ({ roles }: Me): boolean => VALUES.Role.some((role) => roles.includes(role));

/** Whether one of these roles allows an operation. The service decides; this only hides buttons. */
export const may = ({ roles }: Me, operation: Operation): boolean =>
  ROLES[operation].some((role) => roles.includes(role));

const Session = createContext<Me | null>(null);
export const SessionProvider = Session.Provider;

/** The person who is signed in, and a test of what they may do. */
export function useMe(): Me & { may(operation: Operation): boolean } {
  const me = useContext(Session);
  if (me === null) throw new Error('There is no session around this part of the console.');
  return { ...me, may: (operation) => may(me, operation) };
}
