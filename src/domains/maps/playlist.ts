import { withoutControls } from '../../platform/names.ts';
import type { Playlist } from './schemas.ts';
import type { PlaylistSong } from './store.ts';

interface PlaylistFile {
  /** Ends in `.bplist`, which playlist managers require. */
  fileName: string;
  playlist: Playlist;
}

export interface PlaylistHead {
  /** Unique: managers name the file after the title, so another playlist of the same title would replace it. */
  title: string;
  description: string;
  /** The address of this playlist, without a query string, which one-click links lose. */
  syncUrl: string;
}

/**
 * A playlist for game clients and managers: one song for each pool map. Managers do not accept null.
 * @param cover a PNG
 */
export const playlistFile = (
  { title, description, syncUrl }: PlaylistHead,
  songs: readonly PlaylistSong[],
  cover: Buffer,
): PlaylistFile => ({
  fileName: `${title}.bplist`,
  playlist: {
    playlistTitle: withoutControls(title),
    playlistAuthor: 'Competitive Match Service',
    playlistDescription: withoutControls(description),
    image: `data:image/png;base64,${cover.toString('base64')}`,
    customData: { syncURL: syncUrl, AllowDuplicates: true, ReadOnly: true },
    songs: songs.map(({ characteristic, difficulty, ...song }) => ({
      ...song,
      levelid: `custom_level_${song.hash}`,
      difficulties: [{ characteristic, name: difficulty }],
    })),
  },
});

/**
 * `Content-Disposition` of a file (RFC 6266): the name in ASCII for old clients, then in full (RFC 8187).
 */
export function attachment(given: string): string {
  // A control character may change the direction of the text, and so show another ending of the name. A slash would make
  // a folder of the beginning of the name.
  const fileName = withoutControls(given).replace(/[\\/]/g, '_');
  const ascii = fileName.replace(/[^0-9A-Za-z._ -]/g, '_');
  const full = encodeURIComponent(fileName).replace(
    /['()*!]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${full}`;
}
