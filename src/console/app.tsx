import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { LocationProvider, Route, Router, useLocation } from 'preact-iso';
import { signedIn, type Visitor } from '../pages/browser.ts';
import { plain } from '../pages/parts/text.ts';
import { onDoubtfulLogin } from './api.ts';
import { Audit } from './audit/audit.tsx';
import { Matches } from './matches/list.tsx';
import { MatchDesk } from './matches/match.tsx';
import { Overview } from './overview/overview.tsx';
import { Heading } from './parts/heading.tsx';
import { patternOf } from './parts/link.tsx';
import { Notices } from './parts/notices.tsx';
import { Said } from './parts/said.tsx';
import { SignInAgain } from './parts/sign-in-again.tsx';
import { PATHS } from './paths.ts';
import { Player } from './players/player.tsx';
import { Players } from './players/players.tsx';
import { PoolList } from './pools/list.tsx';
import { PoolPage } from './pools/pool.tsx';
import { Queues } from './queues/list.tsx';
import { QueueDesk } from './queues/queue.tsx';
import { Reports } from './reports/reports.tsx';
import { Reviews } from './reviews/reviews.tsx';
import { Seasons } from './seasons/seasons.tsx';
import { type Operation, SessionProvider, useMe } from './session.ts';
import { strings } from './strings.ts';
import { forgetVisits, Visits } from './visits.tsx';

/** The sections in the navigation. With an operation, only for those who may do it. */
const SECTIONS: readonly { section: keyof typeof strings.sections; needs?: Operation }[] = [
  { section: 'overview' },
  { section: 'pools' },
  { section: 'seasons' },
  { section: 'queues' },
  { section: 'matches', needs: 'POST /matches/{matchGuid}/abort' },
  { section: 'reviews', needs: 'GET /replay-reviews' },
  { section: 'reports', needs: 'GET /reports' },
  { section: 'players', needs: 'GET /players/{playerGuid}/bans' },
  { section: 'audit', needs: 'GET /audit-log' },
];

/** Points the link to the content, which the service wrote for the first address, at the address of the view. */
function useSkipLink(url: string): void {
  useEffect(() => {
    const here = new URL(location.href);
    here.hash = 'content';
    // Absolute, so that the router leaves it to the browser, which moves the focus.
    document.querySelector('.skip')?.setAttribute('href', here.href);
  }, [url]);
}

function Navigation() {
  const { path, url } = useLocation();
  const { may } = useMe();
  useSkipLink(url);
  return (
    <nav class="sections" aria-label={strings.navigation}>
      {SECTIONS.filter(({ needs }) => needs === undefined || may(needs)).map(({ section }) => {
        const address = patternOf(PATHS[section]);
        const isHere = section === 'overview' ? path === address : path.startsWith(address);
        return (
          <a key={section} href={address} aria-current={isHere ? 'page' : undefined}>
            {strings.sections[section]}
          </a>
        );
      })}
    </nav>
  );
}

const LOOK_EVERY_MS = 5000;

/**
 * While the login has ended or is that of another person: says so, and offers to sign in in another tab, so that the page
 * keeps its state.
 */
function SignedOut() {
  const { playerGuid } = useMe();
  const [told, setTold] = useState<string | null>(null);
  const look = async (): Promise<void> => {
    const found = await signedIn();
    if (found === undefined) return;
    const isOther = found !== null && found.playerGuid !== playerGuid;
    setTold(
      found === null ? strings.signedOut : isOther ? strings.signedInIs(plain(found.username, 40)) : null,
    );
  };
  useEffect(() => onDoubtfulLogin(() => void look()), []);
  const isTold = told !== null;
  useEffect(() => {
    if (!isTold) return undefined;
    forgetVisits();
    const timer = setInterval(look, LOOK_EVERY_MS);
    // The visitor comes back from the tab in which the sign-in happened.
    window.addEventListener('focus', look);
    return () => {
      clearInterval(timer);
      window.removeEventListener('focus', look);
    };
  }, [isTold]);
  if (!isTold) return null;
  return (
    <p class="warning" role="alert">
      {told} <SignInAgain />
    </p>
  );
}

const Nowhere = () => <Heading title={strings.noSuchPage} />;

/** What is shown at each address. */
const VIEWS: Record<keyof typeof PATHS, ComponentType> = {
  overview: Overview,
  pools: PoolList,
  pool: PoolPage,
  seasons: Seasons,
  queues: Queues,
  queue: QueueDesk,
  matches: Matches,
  match: MatchDesk,
  reviews: Reviews,
  reports: Reports,
  players: Players,
  player: Player,
  audit: Audit,
};

/** The staff console. */
export const Console = ({ me }: { me: Visitor }) => (
  <SessionProvider value={me}>
    <LocationProvider scope={patternOf(PATHS.overview)}>
      <Visits>
        {() => (
          <div class="console">
            <Navigation />
            <SignedOut />
            <Router>
              {Object.entries(VIEWS).map(([name, view]) => (
                <Route key={name} path={patternOf(PATHS[name as keyof typeof PATHS])} component={view} />
              ))}
              <Route default component={Nowhere} />
            </Router>
            <Said />
            <Notices />
          </div>
        )}
      </Visits>
    </LocationProvider>
  </SessionProvider>
);
