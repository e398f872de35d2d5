import { useState } from 'preact/hooks';
import type { NamedPlayer } from '../../pages/parts/name.ts';
import { pressable } from '../../pages/parts/press.ts';
import { plain } from '../../pages/parts/text.ts';
import { Time } from '../../pages/parts/time.ts';
import { api, ask, type Problem } from '../api.ts';
import { Ask } from '../parts/dialog.tsx';
import { localOf } from '../parts/instants.ts';
import { useKept } from '../parts/kept.ts';
import { notify } from '../parts/notices.tsx';
import { asStored, useOnce } from '../parts/once.ts';
import { Reading } from '../parts/reading.tsx';
import { Select } from '../parts/select.tsx';
import { TextField } from '../parts/text-field.tsx';
import { useGet } from '../read.ts';
import { useMe } from '../session.ts';
import { endOf, isInForce, LENGTHS, type Length } from './lengths.ts';
import { strings } from './strings.ts';

const texts = strings.bans;
const LONGEST_REASON = 500;
const MINUTE_MS = 60_000;

/** Says whether a match runs that the ban would end. */
function Plays({ playerGuid }: { playerGuid: string }) {
  const read = useGet('/matches', { query: { playerGuid, state: 'running', limit: 1 } });
  return (
    <Reading of={read}>{({ items }) => <p>{items.length === 0 ? texts.playsNot : texts.plays}</p>}</Reading>
  );
}

/** The form of a ban before anything is entered. */
const UNTOUCHED = { reason: '', length: 'day' as Length, other: '' };

interface AskBanProps {
  person: NamedPlayer;
  reason: string;
  length: Length;
  until: string | null;
  /** Reads the bans again. */
  reload(): void;
  onDone(): void;
  onClose(): void;
}

function AskBan({ person, reason, length, until, reload, onDone, onClose }: AskBanProps) {
  const name = plain(person.username, 40, strings.nameless);
  // A ban of a day that is sent again ends later than the first one, so lengths are compared beside ends.
  const once = useOnce<{ length: Length; until: string | null }>(`bans/${person.playerGuid}`);
  const { playerGuid } = useMe();
  const send = async (): Promise<Problem | null> => {
    const params = { path: { playerGuid: person.playerGuid } };
    const { problem } = await once({
      sent: { length, until },
      send: () => ask(api.POST('/players/{playerGuid}/bans', { params, body: { reason, until } })),
      newest: () => ask(api.GET('/players/{playerGuid}/bans', { params })),
      isIt: (ban, lost) =>
        ban.createdBy === playerGuid &&
        isInForce(ban) &&
        ban.reason === asStored(reason) &&
        lost.some(
          (one) =>
            one.until === ban.until && one.length === length && (length !== 'other' || until === ban.until),
        ),
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

/** Asks for the reason and the length of a ban, and says what it will do before it is given. */
export function GiveBan({ person, reload }: { person: NamedPlayer; reload(): void }) {
  const [draft, setDraft] = useKept(`bans/${person.playerGuid}`, UNTOUCHED);
  const { reason, length, other } = draft;
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
        set={(typed) => setDraft({ ...draft, reason: typed })}
        hint={texts.reasonHint}
      />
      <label>
        {texts.length}
        <Select
          name="length"
          value={length}
          set={(chosen) => setDraft({ ...draft, length: chosen as Length })}
          options={LENGTHS.map((value) => ({ value, text: texts.lengths[value] }))}
        />
      </label>
      {length === 'other' && (
        <TextField
          label={texts.other}
          type="datetime-local"
          name="until"
          required
          // A minute that has begun is refused.
          min={localOf(new Date(Date.now() + MINUTE_MS).toISOString())}
          value={other}
          set={(typed) => setDraft({ ...draft, other: typed })}
        />
      )}
      <button type="submit" class="destructive" {...pressable(reason.trim() !== '')}>
        {texts.give} …
      </button>
      {until !== undefined && (
        <AskBan
          person={person}
          reason={reason.trim()}
          length={length}
          until={until}
          reload={reload}
          onDone={() => setDraft(UNTOUCHED)}
          onClose={() => setUntil(undefined)}
        />
      )}
    </form>
  );
}
