import { h } from 'preact';
import type { Connection } from '../follow.ts';
import { strings } from '../strings.ts';

const texts = strings.connection;

export interface FreshnessProps {
  connection: Connection;
  /** Since when the connection is as it is, milliseconds since 1970; of the visitor's clock. */
  since: number;
}

/** Says whether what is shown is followed as it happens; else that the connection is lost, and since when it is old. */
export const Freshness = ({ connection, since }: FreshnessProps) =>
  h(
    'p',
    { class: connection === 'old' ? 'warning' : 'quiet', role: 'status', 'data-connection': connection },
    connection === 'old' ? texts.old(new Date(since).toLocaleTimeString()) : texts[connection],
  );
