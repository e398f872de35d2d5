import { readFileSync } from 'node:fs';
import { CSHARP_KIT } from './csharp-kit.ts';

const document = (name: string) => ({
  url: `/docs/${name}`,
  text: readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8'),
});
const guide = (name: string, title: string) => ({ ...document(name), title });

/** Texts for the authors of plugins, served as they are written. */
export const GUIDES = [
  guide('rules.md', 'The rules of a match'),
  guide('protocol.md', 'One match as a conversation'),
  guide('identity-provider.md', 'What a token needs'),
  guide('refusals.md', 'Every refusal, and what to do'),
  { url: '/docs/csharp.md', title: 'A plugin in C#, step by step', text: CSHARP_KIT.readme },
  { url: '/docs/MatchService.cs', title: 'The client in C#, one file', text: CSHARP_KIT.client },
  { url: '/docs/Sample.cs', title: 'A plugin in C# that plays a match', text: CSHARP_KIT.sample },
];

/** The documents that guides name for more about a subject. */
export const FURTHER_READING = [
  'auth.md',
  'configuration.md',
  'glossary.md',
  'lost-time.md',
  'matches.md',
  'ratings.md',
  'replays.md',
  'sign-in.md',
].map(document);
