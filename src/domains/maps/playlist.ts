import type { Playlist } from './schemas.ts';
import type { PlaylistSong } from './store.ts';

export interface PlaylistFile {
  /** Ends in `.bplist`: that is what makes managers take it. */
  fileName: string;
  playlist: Playlist;
}

interface PlaylistContents {
  /** Unique over all playlists: managers name the file after it, so another of the same title replaces it. */
  title: string;
  description: string;
  /** Answers with this playlist; without a query string, which one-click links lose. */
  syncUrl: string;
  songs: readonly PlaylistSong[];
  /** A PNG. */
  cover: Buffer;
}

/** A playlist as game clients and managers read it: one song per pool map, and no null anywhere. */
export const playlistFile = ({
  title,
  description,
  syncUrl,
  songs,
  cover,
}: PlaylistContents): PlaylistFile => ({
  fileName: `${title}.bplist`,
  playlist: {
    playlistTitle: title,
    playlistAuthor: 'Competitive Match Service',
    playlistDescription: description,
    image: `data:image/png;base64,${cover.toString('base64')}`,
    customData: { syncURL: syncUrl, AllowDuplicates: true, ReadOnly: true },
    songs: songs.map(({ hash, key, songName, levelAuthorName, characteristic, difficulty }) => ({
      hash,
      key,
      songName,
      levelAuthorName,
      levelid: `custom_level_${hash}`,
      difficulties: [{ characteristic, name: difficulty }],
    })),
  },
});

/**
 * `Content-Disposition` of a playlist (RFC 6266): the title in ASCII for old clients, then in full
 * (RFC 8187).
 */
export function attachment(fileName: string): string {
  const ascii = fileName.replace(/[^0-9A-Za-z._ -]/g, '_');
  const full = encodeURIComponent(fileName).replace(
    /['()*!]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${full}`;
}
