import { useState } from 'preact/hooks';
import type { NamedPlayer } from '../../pages/parts/name.ts';
import { pressable } from '../../pages/parts/press.ts';
import { plain } from '../../pages/parts/text.ts';
import { Time } from '../../pages/parts/time.ts';
import { against, api, ask, type Problem, type Shapes } from '../api.ts';
import { VALUES } from '../contract.ts';
import { Ask } from '../parts/dialog.tsx';
import { notify } from '../parts/notices.tsx';
import { useOutcome } from '../parts/outcome.ts';
import { Reading } from '../parts/reading.tsx';
import { Table } from '../parts/table.tsx';
import { type Read, useGet } from '../read.ts';
import { PersonOf } from './person.tsx';
import { strings } from './strings.ts';

const texts = strings.roles;

type Held = Shapes['HeldRoles'];
type Role = Held['roles'][number]['role'];

const grantedIn = ({ roles }: Held): Role[] =>
  roles.filter(({ source }) => source === 'granted').map(({ role }) => role);

const isSame = (one: readonly Role[], other: readonly Role[]): boolean =>
  VALUES.Role.every((role) => one.includes(role) === other.includes(role));

const HeldTable = ({ roles }: Pick<Held, 'roles'>) => (
  <Table data-roles label={texts.title} heads={[texts.role, texts.source, texts.since]}>
    {roles.map(({ role, source, grantedBy, grantedAt }) => (
      <tr key={`${role} ${source}`}>
        <th scope="row">{role}</th>
        <td>
          {texts.sources[source]}
          {grantedBy !== null && (
            <>
              {' '}
              {texts.by} <PersonOf playerGuid={grantedBy} />
            </>
          )}
        </td>
        <td>{grantedAt === null ? '–' : <Time at={grantedAt} />}</td>
      </tr>
    ))}
  </Table>
);

interface SetRolesProps {
  person: NamedPlayer;
  read: Read<Held> & { data: Held };
}

/** A checkbox for each role. They keep their state when another admin was faster. */
function SetRoles({ person, read: { data: held, etag, reload } }: SetRolesProps) {
  const granted = grantedIn(held);
  const [chosen, setChosen] = useState<readonly Role[] | null>(null);
  const [isAsking, setAsking] = useState(false);
  const [isStale, setStale] = useState(false);
  const outcome = useOutcome();
  const wanted = chosen ?? granted;
  const name = plain(person.username, 40, strings.nameless);
  const changes = [
    ...wanted.filter((role) => !granted.includes(role)).map((role) => texts.grant(role)),
    ...granted.filter((role) => !wanted.includes(role)).map((role) => texts.revoke(role)),
  ];
  const send = async (): Promise<Problem | null> => {
    const path = { playerGuid: person.playerGuid };
    const { problem } = await outcome({
      send: () =>
        ask(
          api.PUT('/players/{playerGuid}/roles', {
            params: { path, header: against(etag) },
            body: { roles: [...wanted] },
          }),
        ),
      now: () => ask(api.GET('/players/{playerGuid}/roles', { params: { path } })),
      isDone: (now) => isSame(grantedIn(now), wanted),
    });
    setStale(problem?.code === 'STALE');
    if (problem !== null && problem.code !== 'STALE') return problem;
    reload();
    if (problem === null) {
      setChosen(null);
      notify(texts.done(name));
    }
    return null;
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setAsking(true);
      }}
    >
      <fieldset class="role-choices">
        <legend>{texts.granted}</legend>
        {VALUES.Role.map((role) => (
          <label key={role}>
            <input
              type="checkbox"
              name="role"
              value={role}
              checked={wanted.includes(role)}
              onChange={({ currentTarget }) =>
                setChosen(
                  VALUES.Role.filter((one) => (one === role ? currentTarget.checked : wanted.includes(one))),
                )
              }
            />{' '}
            {role}
          </label>
        ))}
      </fieldset>
      <button type="submit" {...pressable(changes.length > 0)}>
        {texts.save}
      </button>
      {isStale && (
        <p class="warning" role="alert">
          {texts.stale}
        </p>
      )}
      {isAsking && (
        <Ask title={texts.ask(name)} action={texts.action} send={send} onClose={() => setAsking(false)}>
          <ul>
            {changes.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
          <p>{texts.works}</p>
        </Ask>
      )}
    </form>
  );
}

/** The roles of a player with their sources; granted and taken away here. */
export function Roles({ person, isErased }: { person: NamedPlayer; isErased: boolean }) {
  const { playerGuid } = person;
  const read = useGet('/players/{playerGuid}/roles', { path: { playerGuid } });
  return (
    <section>
      <h2>{texts.title}</h2>
      <Reading of={read}>
        {(held) => (
          <>
            {held.roles.length === 0 ? <p class="quiet">{texts.none}</p> : <HeldTable roles={held.roles} />}
            {!isErased && <SetRoles person={person} read={{ ...read, data: held }} />}
          </>
        )}
      </Reading>
    </section>
  );
}
