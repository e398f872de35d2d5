import { errorEntries } from '../../platform/errors.ts';

export const mapErrors = errorEntries({
  MAP_NOT_FOUND: { status: 404, message: 'There is no such map.' },
  COVER_NOT_FOUND: { status: 404, message: 'There is no picture of this map, or not yet.' },
  DIFFICULTY_NOT_FOUND: { status: 422, message: 'The map has no such difficulty.' },
  MAP_NOT_PLAYABLE: {
    status: 422,
    message: 'No score is possible on this map: its duration or maximum score is not positive.',
  },
  PLAYLIST_NOT_AVAILABLE: { status: 404, message: 'No pool was published yet.' },
});
