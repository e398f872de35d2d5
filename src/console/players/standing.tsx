import { Time } from '../../pages/parts/time.ts';
import type { Shapes } from '../api.ts';
import { Link } from '../parts/link.tsx';
import { Table } from '../parts/table.tsx';
import { PATHS } from '../paths.ts';
import { strings } from './strings.ts';

const texts = strings.standing;

type Standing = Shapes['PlayerStanding'];

const Penalties = ({ penalties }: Pick<Standing, 'penalties'>) => (
  <Table label={texts.penalties} heads={[texts.offence, texts.at, texts.timeOut, texts.match]}>
    {penalties.map(({ reason, at, until, matchGuid }) => (
      <tr key={matchGuid}>
        <th scope="row">{texts.reasons[reason] ?? reason}</th>
        <td>
          <Time at={at} />
        </td>
        <td>
          <Time at={until} />
        </td>
        <td>
          <Link to={PATHS.match} with={{ matchGuid }}>
            {texts.match}
          </Link>
        </td>
      </tr>
    ))}
  </Table>
);

const Logins = ({ logins }: Pick<Standing, 'logins'>) => (
  <Table data-logins label={texts.logins} heads={[texts.began, texts.ends]}>
    {logins.map(({ startedAt, endsAt }, at) => (
      <tr key={at}>
        <td>
          <Time at={startedAt} />
        </td>
        <td>
          <Time at={endsAt} />
        </td>
      </tr>
    ))}
  </Table>
);

/** Penalties and logins of a player. */
export const StandingView = ({ standing: { penalties, logins } }: { standing: Standing }) => (
  <section>
    <h2>{texts.penalties}</h2>
    {penalties.length === 0 ? <p class="quiet">{texts.noPenalties}</p> : <Penalties penalties={penalties} />}
    <h2>{texts.logins}</h2>
    {logins.length === 0 ? <p class="quiet">{texts.noLogins}</p> : <Logins logins={logins} />}
  </section>
);
