import type { IConfiguration, IRegularForbiddenRuleType } from 'dependency-cruiser';

/**
 * The allowed imports (docs/architecture.md), checked by `npm run check`.
 * `scripts/boundaries.ts` runs these rules and fails when it saw fewer modules than there are.
 */

/** A later domain may use earlier ones, never the other way round. */
export const DOMAINS = [
  'outages',
  'audit',
  'seasons',
  'categories',
  'maps',
  'players',
  'ratings',
  'releases',
  'auth',
  'sessions',
  'pools',
  'queues',
  'penalties',
  'matches',
  'observers',
  'reports',
  'replays',
  'standing',
  'live',
  'pairing',
  'connections',
  'privacy',
];

/** Decisions without I/O: the same answer for the same arguments, always. */
export const PURE =
  '^src/domains/[^/]+/((rules|order|breaker|allowance|machine|rulebook|state|match-events|play|log-line|staff-decisions|deal|scoring|presence|proof|view|endings|relay|repeats|rounds|verdict|binaries|signature)[.]ts$|phases/|bsor/)';

/**
 * The files that a browser runs to prove a match: `proof.ts` and everything that it imports. The list is fixed, so that a
 * new import of one of these files is noticed.
 */
export const PROOF =
  '^src/(domains/matches/(proof|log-line|rulebook|play|machine|state|deal|endings|errors|presence|repeats|rounds|scoring|staff-decisions|view)[.]ts$|domains/matches/phases/|platform/(clock|errors|frozen)[.]ts$)';

const rule = (
  name: string,
  comment: string,
  from: IRegularForbiddenRuleType['from'],
  to: IRegularForbiddenRuleType['to'],
): IRegularForbiddenRuleType => ({ name, comment, severity: 'error', from, to });

const configuration = {
  forbidden: [
    rule('no-circles', 'No import cycles.', {}, { circular: true }),
    rule('resolvable', 'Every import leads somewhere.', {}, { couldNotResolve: true }),
    rule(
      'platform-knows-no-product',
      'Platform is plumbing: it knows nothing of the game.',
      { path: '^src/platform/' },
      { path: '^src/', pathNot: '^src/platform/' },
    ),
    rule(
      'domains-know-no-app',
      'Arrows go from the app to the domains.',
      { path: '^src/domains/' },
      { path: '^src/', pathNot: ['^src/(domains|platform)/', '^src/config[.]ts$'] },
    ),
    rule(
      'pages-ask-services',
      'Pages are read through index.ts of domains; only files without I/O may run in the browser as well.',
      { path: '^src/pages/' },
      {
        path: '^src/(domains/|local/|app[.]ts|http[.]ts)',
        pathNot: ['^src/domains/[^/]+/index[.]ts$', PURE],
      },
    ),
    rule(
      'console-is-a-client',
      'The console talks over HTTP: of the service it knows generated types, and the parts of the pages that draw and that follow streams.',
      { path: '^src/console/' },
      { path: '^src/', pathNot: '^src/(console|pages/(parts/|browser[.]ts$|follow[.]ts$|strings[.]ts$))' },
    ),
    rule(
      'console-is-drawn-in-browsers',
      'The service knows the addresses of the console and nothing else of it.',
      { path: '^src/(?!console/)' },
      { path: '^src/console/', pathNot: '^src/console/paths[.]ts$' },
    ),
    rule(
      'configuration-is-passed',
      'A domain may name the type of the configuration; its values are handed in.',
      { path: '^src/domains/' },
      { path: '^src/config[.]ts$', dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'index-only',
      'Of another domain only index.ts may be imported.',
      { path: '^src/domains/([^/]+)/' },
      { path: '^src/domains/', pathNot: ['^src/domains/$1/', '^src/domains/[^/]+/index[.]ts$'] },
    ),
    ...DOMAINS.slice(0, -1).map((domain, at) =>
      rule(
        `order-of-${domain}`,
        `${domain} comes before the domains it would import.`,
        { path: `^src/domains/${domain}/` },
        { path: `^src/domains/(${DOMAINS.slice(at + 1).join('|')})/` },
      ),
    ),
    rule(
      'local-is-for-laptops',
      'What production gets elsewhere is imported by the local stack, tests and scripts only.',
      { path: '^src/', pathNot: '^src/local/' },
      { path: '^src/local/' },
    ),
    rule(
      'pure-without-io',
      'Rules, the match machine and its phases decide; they read and write nothing.',
      { path: PURE },
      {
        path: [
          '(^|/)node_modules/(?!openskill/|semver/|@noble/hashes/)',
          '^src/platform/(database|documents)/',
          '^src/platform/http/(?!schemas[.]ts$)',
          '^src/platform/socket/(?!contract[.]ts$)',
          '^src/domains/[^/]+/(routes|socket|service|store|runner)[.]ts$',
          '^src/domains/[^/]+/[a-z]+-(routes|store)[.]ts$',
        ],
        dependencyTypesNot: ['type-only'],
      },
    ),
    rule(
      'pure-without-node',
      'Hashing is arithmetic; every other part of Node is I/O.',
      { path: PURE },
      { dependencyTypes: ['core'], pathNot: '^(node:)?crypto$' },
    ),
    rule(
      'proof-runs-in-browsers',
      'What proves a match has no part that a browser does not have: it hashes with @noble/hashes and imports nothing of Node.',
      { path: PROOF },
      { path: '.', pathNot: [PROOF, '(^|/)node_modules/@noble/hashes/'], dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'pure-knows-shapes-of-others',
      'index.ts of another domain imports services, so pure files import only types from it.',
      {
        path: '^src/domains/([^/]+)/((rules|order|machine|state|match-events|play|staff-decisions|deal|scoring|presence|view)[.]ts$|phases/)',
      },
      { path: '^src/domains/', pathNot: '^src/domains/$1/', dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'replay-reader-stands-alone',
      'The reader imports nothing else of the service, so it can be copied as a folder.',
      { path: '^src/domains/replays/bsor/' },
      { pathNot: '^src/domains/replays/bsor/' },
    ),
    rule(
      'zod-in-schemas',
      'A shape has one source: schemas.ts (or a file of its kind), or events.ts for the socket.',
      { path: '^src/domains/', pathNot: '/([a-z-]*schemas|events)[.]ts$' },
      { path: '(^|/)node_modules/zod/' },
    ),
    rule(
      'prisma-in-stores',
      'Prisma’s types and error codes stay where the statements are.',
      { path: '^src/', pathNot: ['^src/platform/database/', '^src/domains/[^/]+/[a-z-]*store[.]ts$'] },
      { path: ['(^|/)node_modules/@?prisma/', '^src/platform/database/generated/'] },
    ),
    rule(
      'sql-in-stores',
      'The driver is for stores and for the platform below them.',
      { path: '^src/domains/', pathNot: '/[a-z-]*store[.]ts$' },
      { path: '(^|/)node_modules/pg/' },
    ),
    rule(
      'edges-ask-the-service',
      'A route or a socket message is a handful of lines; what it does is a use case.',
      { path: ['^src/domains/[^/]+/(routes|socket)[.]ts$', '^src/domains/[^/]+/[a-z]+-routes[.]ts$'] },
      { path: '^src/domains/[^/]+/[a-z-]*store[.]ts$' },
    ),
    rule(
      'production-without-dev-packages',
      'The container installs runtime packages only.',
      // The console is built into the bundle, as its packages are.
      { path: '^src/', pathNot: '^src/(local|console)/' },
      { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'] },
    ),
  ],
  options: {
    doNotFollow: { path: ['node_modules', '^src/platform/database/generated'] },
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
} satisfies IConfiguration;

export default configuration;
