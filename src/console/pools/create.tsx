import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { api, ask, type Shapes } from '../api.ts';
import { Ask } from '../parts/dialog.tsx';
import { addressOf, Link } from '../parts/link.tsx';
import { useOnce } from '../parts/once.ts';
import { PATHS } from '../paths.ts';
import type { Read } from '../read.ts';
import { strings as common } from '../strings.ts';
import { NameField, SeasonField } from './fields.tsx';
import { freshDraft } from './fresh.ts';
import { strings } from './strings.ts';

interface CreateProps {
  seasons: Read<readonly Shapes['Season'][]>;
  /** The season that the list is filtered by. */
  seasonGuid: string | undefined;
  onClose(): void;
}

/** Makes a new draft and leads to it. */
export function Create({ seasons, seasonGuid: filtered, onClose }: CreateProps) {
  const { route } = useLocation();
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const seasonGuid = chosen ?? filtered ?? seasons.data?.[0]?.seasonGuid ?? '';
  const once = useOnce<string>('pools');
  const send = async () => {
    const { data, problem } = await once({
      ...freshDraft({ name, seasonGuid, mapCount: 0 }),
      send: () => ask(api.POST('/pools', { body: { name, seasonGuid } })),
    });
    if (problem === null) route(addressOf(PATHS.pool, { poolGuid: data.poolGuid }));
    return problem;
  };
  return (
    <Ask title={strings.list.creating} action={strings.list.create} send={send} onClose={onClose}>
      <p class="quiet">{strings.list.createHint}</p>
      <NameField value={name} set={setName} />
      <SeasonField value={seasonGuid} set={setChosen} seasons={seasons} />
      {seasons.data?.length === 0 && (
        <p class="quiet" data-no-season>
          {strings.list.noSeason}{' '}
          <Link to={PATHS.seasons} with={{}}>
            {common.sections.seasons}
          </Link>
        </p>
      )}
    </Ask>
  );
}
