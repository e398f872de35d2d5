import { h } from 'preact';
import { strings } from '../strings.ts';
import { Portrait } from './portrait.ts';
import { plain } from './text.ts';

/** A name that somebody has chosen. Its direction does not change what stands beside it. */
export const Name = ({ text, most }: { text: string; most?: number }) =>
  h('bdi', null, plain(text, most, strings.nameless));

/** A player with the name that was chosen. */
export interface NamedPlayer {
  playerGuid: string;
  username: string;
}

interface PlayerLinkProps {
  player: NamedPlayer;
  most?: number;
}

/** A player: the picture and the name, which leads to the player's page. */
export const PlayerLink = ({ player: { playerGuid, username }, most }: PlayerLinkProps) =>
  h(
    'a',
    { class: 'player', href: `player/${playerGuid}` },
    h(Portrait, { guid: playerGuid }),
    h(Name, { text: username, most }),
  );
