import { h } from 'preact';
import type { Followed } from '../follow.ts';
import { strings } from '../strings.ts';

const texts = strings.connection;

export type FreshnessProps = Pick<Followed<unknown>, 'connection' | 'since'>;

/** Says whether what is shown is followed as it happens; else that the connection is lost, and since when it is old. */
export const Freshness = ({ connection, since }: FreshnessProps) =>
  h(
    'p',
    { class: connection === 'old' ? 'warning' : 'quiet', role: 'status', 'data-connection': connection },
    connection === 'old' ? texts.old(new Date(since).toLocaleTimeString()) : texts[connection],
  );
