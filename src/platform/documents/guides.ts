import { readFileSync } from 'node:fs';
import { CSHARP_KIT } from './csharp-kit.ts';

const guide = (name: string, title: string) => ({
  url: `/docs/${name}`,
  title,
  text: readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8'),
});

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
