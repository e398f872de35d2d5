import { healthAfter } from '../../pages/parts/health.ts';
import { HealthBar } from '../../pages/parts/health-bar.ts';
import { difficultyText, doneTexts, nowText, percent } from '../../pages/parts/match-text.ts';
import { Name } from '../../pages/parts/name.ts';
import { Portrait } from '../../pages/parts/portrait.ts';
import type { Shapes } from '../api.ts';
import { VALUES } from '../contract.ts';
import { Link } from '../parts/link.tsx';
import { type Match, words } from '../parts/match-words.ts';
import { PATHS } from '../paths.ts';
import { Countdown } from './countdown.tsx';
import { strings } from './strings.ts';

const texts = strings.match;

type LiveSeat = Shapes['LiveSeat'];

/** Connection, cards and what the player of a seat has done in this phase. */
const LiveNotes = ({
  seat,
  status,
  offsetMs,
}: {
  seat: LiveSeat;
  status: Match['status'];
  offsetMs: number | null;
}) => (
  <>
    <p data-presence={seat.presence}>
      {words.presence[seat.presence]}
      {seat.awayDeadlineAt !== null && (
        <>
          , {texts.backUntil} <Countdown at={seat.awayDeadlineAt} offsetMs={offsetMs} />
        </>
      )}
    </p>
    <p class="quiet">{[texts.hand(seat.handSize), ...doneTexts(seat, status)].join(', ')}</p>
    {seat.progress !== null && (
      <progress value={seat.progress} max={1} aria-label={words.ready.downloading} />
    )}
  </>
);

/** Both players of a match: now while it runs, else as they ended. */
export const Seats = ({ match, offsetMs }: { match: Match; offsetMs: number | null }) => (
  <div class="board">
    {match.players.length === 0 && <p>{words.hiddenText}</p>}
    {match.players.map(({ playerGuid, username }, index) => {
      const seat = match.live?.seats.find((one) => one.playerGuid === playerGuid);
      const health = seat?.health ?? healthAfter(match.rounds, playerGuid);
      const color = VALUES.SeatName[index] ?? 'red';
      return (
        <section key={playerGuid} class={`seat ${color}`} aria-label={words[color]}>
          <Portrait guid={playerGuid} />
          <p class="seat-name">
            <Link to={PATHS.player} with={{ playerGuid }}>
              <Name text={username} most={40} />
            </Link>
            {seat && <span class="quiet"> {words.rating(seat.rating, seat.provisional)}</span>}
          </p>
          <HealthBar health={health} label={words.health(percent(health))} />
          {seat && <LiveNotes seat={seat} status={match.status} offsetMs={offsetMs} />}
        </section>
      );
    })}
    {match.live !== null && <Phase match={match} live={match.live} offsetMs={offsetMs} />}
  </div>
);

/** The phase that both players are in, with its limit. */
function Phase({
  match,
  live,
  offsetMs,
}: {
  match: Match;
  live: Shapes['LiveMatch'];
  offsetMs: number | null;
}) {
  const { status, startsAt, deadlineAt, currentMap } = live;
  return (
    <section class="phase" aria-label={texts.now}>
      <p class="status">{nowText(live, match)}</p>
      {currentMap !== null && (
        <p>
          <Name text={currentMap.name} /> <span class="quiet">{difficultyText(currentMap)}</span>
        </p>
      )}
      {status === 'preparing' && startsAt !== null ? (
        <p>
          {texts.startsIn} <Countdown at={startsAt} offsetMs={offsetMs} />
        </p>
      ) : (
        deadlineAt !== null && (
          <p>
            {texts.limitIn} <Countdown at={deadlineAt} offsetMs={offsetMs} />
          </p>
        )
      )}
    </section>
  );
}
