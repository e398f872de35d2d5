import { errorEntries } from '../../platform/errors.ts';

export const playerErrors = errorEntries({
  PLAYER_NOT_FOUND: { status: 404, message: 'There is no such player.' },
  BAN_NOT_FOUND: { status: 404, message: 'There is no such ban of this player.' },
  PLATFORM_ID_TAKEN: {
    status: 409,
    message: 'This platform account already belongs to another player. The staff can see this refusal.',
  },
  LAST_ADMIN: { status: 409, message: 'This is the last admin: make somebody else an admin first.' },
  ROLE_NOT_GRANTED_HERE: {
    status: 409,
    message: 'These roles were not granted here: they are revoked where they come from.',
  },
  PLAYER_ERASED: {
    status: 409,
    message: 'This person was erased. Bans and roles are given to the account that they sign in with later.',
  },
  SELF_BAN: { status: 409, message: 'You cannot ban yourself.' },
});
