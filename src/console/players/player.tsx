import { useRoute } from 'preact-iso';
import { plain } from '../../pages/parts/text.ts';
import { Time } from '../../pages/parts/time.ts';
import type { Shapes } from '../api.ts';
import { Heading } from '../parts/heading.tsx';
import { Link } from '../parts/link.tsx';
import { Reading } from '../parts/reading.tsx';
import { PATHS } from '../paths.ts';
import { useGet, useList } from '../read.ts';
import { useMe } from '../session.ts';
import { Bans } from './bans.tsx';
import { PersonalData } from './data.tsx';
import { isInForce } from './lengths.ts';
import { Record } from './record.tsx';
import { Roles } from './roles.tsx';
import { StandingView } from './standing.tsx';
import { strings } from './strings.ts';

type Profile = Shapes['PlayerProfile'];
type Standing = Shapes['PlayerStanding'];

const Head = ({ profile, standing }: { profile: Profile; standing: Standing }) => (
  <dl class="facts">
    <dt>{strings.head.id}</dt>
    <dd>
      <code>{profile.playerGuid}</code>
    </dd>
    <dt>{strings.head.platformId}</dt>
    <dd>{standing.platformId ?? strings.head.noPlatformId}</dd>
    <dt>{strings.head.joined}</dt>
    <dd>
      <Time at={profile.joinedAt} />
    </dd>
  </dl>
);

/** The ways to what was decided about a person, and what they decided. */
const Decisions = ({ playerGuid }: { playerGuid: string }) => (
  <section>
    <h2>{strings.decisions.title}</h2>
    <ul>
      <li>
        <Link to={PATHS.reviews} with={{}} query={{ playerGuid }}>
          {strings.decisions.openReviews}
        </Link>
      </li>
      <li>
        <Link to={PATHS.reviews} with={{}} query={{ status: 'resolved', playerGuid }}>
          {strings.decisions.resolvedReviews}
        </Link>
      </li>
      <li>
        <Link to={PATHS.reports} with={{}} query={{ playerGuid }}>
          {strings.decisions.reports}
        </Link>
      </li>
      <li>
        <Link to={PATHS.matches} with={{}} query={{ state: 'all', playerGuid }}>
          {strings.decisions.matches}
        </Link>
      </li>
      <li>
        <Link to={PATHS.audit} with={{}} query={{ target: `/players/${playerGuid}` }}>
          {strings.decisions.about}
        </Link>
      </li>
      <li>
        <Link to={PATHS.audit} with={{}} query={{ actorGuid: playerGuid }}>
          {strings.decisions.by}
        </Link>
      </li>
    </ul>
  </section>
);

interface PersonProps {
  profile: Profile;
  standing: Standing;
  reload(): void;
}

function Person({ profile, standing, reload }: PersonProps) {
  const me = useMe();
  const { playerGuid, ratings } = profile;
  const bans = useList('/players/{playerGuid}/bans', { path: { playerGuid } });
  const isErased = standing.erasedAt !== null;
  const isSelf = me.playerGuid === playerGuid;
  return (
    <>
      {standing.erasedAt !== null && (
        <p class="warning" data-erased>
          {strings.head.erased} (<Time at={standing.erasedAt} />
          ).
        </p>
      )}
      {isSelf && <p class="quiet">{strings.head.self}</p>}
      <Head profile={profile} standing={standing} />
      <p>
        <a href={`player/${playerGuid}`}>{strings.head.publicPage}</a>
      </p>
      <Bans person={profile} list={bans} isErased={isErased} />
      <StandingView standing={standing} />
      <Roles key={String(isErased)} person={profile} isErased={isErased} />
      <Decisions playerGuid={playerGuid} />
      <Record playerGuid={playerGuid} ratings={ratings} />
      <PersonalData
        person={profile}
        facts={{
          logins: standing.logins.length,
          penalties: standing.penalties.length,
          bans: bans.data?.filter(isInForce).length ?? null,
          ratedMatches: ratings.reduce((sum, { wins, losses, draws }) => sum + wins + losses + draws, 0),
        }}
        isSelf={isSelf}
        isErased={isErased}
        onErased={() => {
          reload();
          bans.reload();
        }}
      />
    </>
  );
}

/** One player with everything that staff may see and do. */
export function Player() {
  const { playerGuid = '' } = useRoute().params;
  const path = { playerGuid };
  const profile = useGet('/players/{playerGuid}', { path });
  const standing = useGet('/players/{playerGuid}/standing', { path });
  const reload = (): void => {
    profile.reload();
    standing.reload();
  };
  return (
    <>
      <Heading
        title={profile.data === null ? strings.title : plain(profile.data.username, 60, strings.nameless)}
      />
      <Reading of={profile}>
        {(found) => (
          <Reading of={standing}>
            {(held) => <Person key={playerGuid} profile={found} standing={held} reload={reload} />}
          </Reading>
        )}
      </Reading>
    </>
  );
}
