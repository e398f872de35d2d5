import { useState } from 'preact/hooks';
import type { NamedPlayer } from '../../pages/parts/name.ts';
import { plain } from '../../pages/parts/text.ts';
import { Time } from '../../pages/parts/time.ts';
import { api, ask, type Problem } from '../api.ts';
import { Ask } from '../parts/dialog.tsx';
import { notify } from '../parts/notices.tsx';
import { asStored, useOnce } from '../parts/once.ts';
import { Reading } from '../parts/reading.tsx';
import { Select } from '../parts/select.tsx';
import { TextField } from '../parts/text-field.tsx';
import { useGet } from '../read.ts';
import { useMe } from '../session.ts';
import { endOf, LENGTHS, type Length } from './lengths.ts';
import { strings } from './strings.ts';

const texts = strings.bans;
const LONGEST_REASON = 500;

/** Says whether a match runs that the ban would end. */
function Plays({ playerGuid }: { playerGuid: string }) {
  const read = useGet('/matches', { query: { playerGuid, state: 'running', limit: 1 } });
  return (
    <Reading of={read}>{({ items }) => <p>{items.length === 0 ? texts.playsNot : texts.plays}</p>}</Reading>
  );
}

interface AskBanProps {
  person: NamedPlayer;
  reason: string;
  until: string | null;
  /** Reads the bans again. */
  reload(): void;
  onDone(): void;
  onClose(): void;
}

function AskBan({ person, reason, until, reload, onDone, onClose }: AskBanProps) {
  const name = plain(person.username, 40, strings.nameless);
  const once = useOnce();
  const { playerGuid } = useMe();
  const send = async (): Promise<Problem | null> => {
    const params = { path: { playerGuid: person.playerGuid } };
    const { problem } = await once({
      send: () => ask(api.POST('/players/{playerGuid}/bans', { params, body: { reason, until } })),
      newest: () => ask(api.GET('/players/{playerGuid}/bans', { params })),
      isIt: (ban) =>
        ban.createdBy === playerGuid &&
        ban.liftedAt === null &&
        ban.reason === asStored(reason) &&
        ban.until === until,
    });
    reload();
    if (problem !== null) return problem;
    notify(texts.giveDone(name));
    onDone();
    return null;
  };
  return (
    <Ask title={texts.giveAsk(name)} action={texts.giveAction} send={send} onClose={onClose}>
      <p>{texts.giveText(plain(reason, LONGEST_REASON))}</p>
      <p>
        {until === null ? (
          texts.giveForGood
        ) : (
          <>
            {texts.giveUntil} <Time at={until} />.
          </>
        )}
      </p>
      <p>{texts.connection}</p>
      <Plays playerGuid={person.playerGuid} />
    </Ask>
  );
}

/** A reason and an end, and what will happen before it does. */
export function GiveBan({ person, reload }: { person: NamedPlayer; reload(): void }) {
  const [reason, setReason] = useState('');
  const [length, setLength] = useState<Length>('day');
  const [other, setOther] = useState('');
  const [until, setUntil] = useState<string | null | undefined>(undefined);
  const submit = (event: Event): void => {
    event.preventDefault();
    setUntil(endOf(length, other, Date.now()));
  };
  return (
    <form class="stacked" data-ban onSubmit={submit}>
      <TextField
        label={texts.reason}
        name="reason"
        required
        maxLength={LONGEST_REASON}
        value={reason}
        set={setReason}
        hint={texts.reasonHint}
      />
      <label>
        {texts.length}
        <Select
          name="length"
          value={length}
          set={(chosen) => setLength(chosen as Length)}
          options={LENGTHS.map((value) => ({ value, text: texts.lengths[value] }))}
        />
      </label>
      {length === 'other' && (
        <TextField
          label={texts.other}
          type="datetime-local"
          name="until"
          required
          value={other}
          set={setOther}
        />
      )}
      <button type="submit" class="destructive" disabled={reason.trim() === ''}>
        {texts.give} …
      </button>
      {until !== undefined && (
        <AskBan
          person={person}
          reason={reason.trim()}
          until={until}
          reload={reload}
          onDone={() => setReason('')}
          onClose={() => setUntil(undefined)}
        />
      )}
    </form>
  );
}
