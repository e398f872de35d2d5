import { useState } from 'preact/hooks';
import type { NamedPlayer } from '../../pages/parts/name.ts';
import { plain } from '../../pages/parts/text.ts';
import { Time } from '../../pages/parts/time.ts';
import { api, ask, type Problem, type Shapes } from '../api.ts';
import { Ask } from '../parts/dialog.tsx';
import { notify } from '../parts/notices.tsx';
import { Listing } from '../parts/reading.tsx';
import { Table } from '../parts/table.tsx';
import type { List } from '../read.ts';
import { useMe } from '../session.ts';
import { GiveBan } from './give-ban.tsx';
import { isInForce } from './lengths.ts';
import { PersonOf } from './person.tsx';
import { strings } from './strings.ts';

const texts = strings.bans;

type Ban = Shapes['Ban'];

interface LiftProps {
  person: NamedPlayer;
  ban: Ban;
  /** How many other bans are in force. */
  others: number;
  onDone(): void;
}

function Lift({ person, ban: { banGuid, reason, playerGuid }, others, onDone }: LiftProps) {
  const [isAsking, setAsking] = useState(false);
  const shown = plain(reason, 100);
  const send = async (): Promise<Problem | null> => {
    const path = { playerGuid, banGuid };
    const { problem } = await ask(api.DELETE('/players/{playerGuid}/bans/{banGuid}', { params: { path } }));
    if (problem !== null) return problem;
    notify(texts.liftDone);
    onDone();
    return null;
  };
  return (
    <>
      <button type="button" class="plain" aria-label={texts.liftOf(shown)} onClick={() => setAsking(true)}>
        {texts.lift}
      </button>
      {isAsking && (
        <Ask
          title={texts.liftAsk(plain(person.username, 40, strings.nameless))}
          action={texts.liftAction}
          send={send}
          onClose={() => setAsking(false)}
        >
          <p>{texts.liftText(shown)}</p>
          <p>{texts.liftOthers(others)}</p>
        </Ask>
      )}
    </>
  );
}

const State = ({ ban }: { ban: Ban }) => {
  if (ban.liftedAt !== null)
    return (
      <>
        {texts.lifted} <Time at={ban.liftedAt} />
        {ban.liftedBy !== null && (
          <>
            {' '}
            {texts.by} <PersonOf playerGuid={ban.liftedBy} />
          </>
        )}
      </>
    );
  return <>{isInForce(ban) ? <strong>{texts.inForce}</strong> : texts.over}</>;
};

const BanTable = ({
  person,
  bans,
  onChanged,
}: {
  person: NamedPlayer;
  bans: readonly Ban[];
  onChanged(): void;
}) => (
  <Table data-bans label={texts.title} heads={[texts.reason, texts.given, texts.until, texts.state]}>
    {bans.map((ban) => (
      <tr key={ban.banGuid}>
        <th scope="row">
          <bdi>{plain(ban.reason, 500)}</bdi>
        </th>
        <td>
          <Time at={ban.createdAt} /> {texts.by} <PersonOf playerGuid={ban.createdBy} />
        </td>
        <td>{ban.until === null ? texts.forGood : <Time at={ban.until} />}</td>
        <td>
          <State ban={ban} />{' '}
          {isInForce(ban) && (
            <Lift
              person={person}
              ban={ban}
              others={bans.filter((one) => one !== ban && isInForce(one)).length}
              onDone={onChanged}
            />
          )}
        </td>
      </tr>
    ))}
  </Table>
);

/** The bans of a player; given and lifted here. */
export function Bans({
  person,
  list,
  isErased,
}: {
  person: NamedPlayer;
  list: List<Ban>;
  isErased: boolean;
}) {
  const { playerGuid } = useMe();
  const isSelf = playerGuid === person.playerGuid;
  return (
    <section>
      <h2>{texts.title}</h2>
      <Listing of={list} nothing={texts.none}>
        {(bans) => <BanTable person={person} bans={bans} onChanged={list.reload} />}
      </Listing>
      {isSelf && <p class="quiet">{texts.self}</p>}
      {!isSelf && !isErased && <GiveBan person={person} reload={list.reload} />}
    </section>
  );
}
