import { readFileSync } from 'node:fs';

/** Pages for the authors of plugins, served as they are written. */
export interface Guide {
  url: string;
  title: string;
  text: string;
}

const guide = (name: string, title: string): Guide => ({
  url: `/docs/${name}`,
  title,
  text: readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8'),
});

export const GUIDES: readonly Guide[] = [
  guide('rules.md', 'The rules of a match'),
  guide('protocol.md', 'One match as a conversation'),
  guide('identity-provider.md', 'What a token needs'),
  guide('refusals.md', 'Every refusal, and what to do'),
];
