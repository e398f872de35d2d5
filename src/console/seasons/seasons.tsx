import { useState } from 'preact/hooks';
import { Name } from '../../pages/parts/name.ts';
import { Time } from '../../pages/parts/time.ts';
import type { Shapes } from '../api.ts';
import { Heading } from '../parts/heading.tsx';
import { isNow } from '../parts/instants.ts';
import { Listing } from '../parts/reading.tsx';
import { Table } from '../parts/table.tsx';
import { useList } from '../read.ts';
import { useMe } from '../session.ts';
import { strings as shared } from '../strings.ts';
import { ChangeCategory, DeleteCategory, NewCategory, Swatch } from './category-dialogs.tsx';
import { ChangeSeason, NewSeason } from './season-dialogs.tsx';
import { strings } from './strings.ts';

const PAGE = 50;

type Season = Shapes['Season'];
type Category = Shapes['MapCategory'];
/** The dialog that is open. */
type Open<Item> = { action: 'new' } | { action: 'change' | 'delete'; item: Item } | null;

const SeasonTable = ({
  seasons,
  onChange,
}: {
  seasons: readonly Season[];
  /** Undefined: it may not be changed. */
  onChange: ((season: Season) => void) | undefined;
}) => (
  <Table
    label={strings.seasons.label}
    heads={[
      strings.seasons.name,
      strings.seasons.startsAt,
      strings.seasons.endsAt,
      ...(onChange ? [null] : []),
    ]}
  >
    {seasons.map((season) => (
      <tr key={season.seasonGuid} data-season={season.seasonGuid}>
        <th scope="row" class="wraps">
          <Name text={season.name} />
          {isNow(season) && <span class="line quiet">{strings.seasons.now}</span>}
        </th>
        <td>
          <Time at={season.startsAt} />
        </td>
        <td>
          <Time at={season.endsAt} />
        </td>
        {onChange && (
          <td>
            <button type="button" class="plain" onClick={() => onChange(season)}>
              {strings.seasons.change}
              <span class="unseen">
                {': '}
                <Name text={season.name} />
              </span>
            </button>
          </td>
        )}
      </tr>
    ))}
  </Table>
);

function SeasonSection() {
  const { may } = useMe();
  const [open, setOpen] = useState<Open<Season>>(null);
  const list = useList('/seasons', { query: { limit: PAGE } });
  const props = { reload: list.reload, onClose: () => setOpen(null) };
  return (
    <section>
      <h2>{strings.seasons.title}</h2>
      <Listing of={list} nothing={strings.seasons.none}>
        {(seasons) => (
          <SeasonTable
            seasons={seasons}
            onChange={
              may('PATCH /seasons/{seasonGuid}') ? (item) => setOpen({ action: 'change', item }) : undefined
            }
          />
        )}
      </Listing>
      {may('POST /seasons') && (
        <button type="button" data-action="new-season" onClick={() => setOpen({ action: 'new' })}>
          {strings.seasons.new}
        </button>
      )}
      {open?.action === 'new' && <NewSeason {...props} />}
      {open?.action === 'change' && <ChangeSeason season={open.item} {...props} />}
    </section>
  );
}

interface CategoryTableProps {
  categories: readonly Category[];
  mayChange: boolean;
  mayDelete: boolean;
  onOpen(action: 'change' | 'delete', category: Category): void;
}

const CategoryTable = ({ categories, mayChange, mayDelete, onOpen }: CategoryTableProps) => (
  <Table
    label={strings.categories.label}
    heads={[
      strings.categories.name,
      strings.categories.color,
      strings.categories.position,
      ...(mayChange || mayDelete ? [null] : []),
    ]}
  >
    {categories.map((category) => (
      <tr key={category.categoryGuid} data-category={category.categoryGuid}>
        <th scope="row" class="wraps">
          <Name text={category.name} />
        </th>
        <td>
          <Swatch color={category.color} />
          {category.color ?? <span class="quiet">{strings.categories.noColor}</span>}
        </td>
        <td>{category.position}</td>
        {(mayChange || mayDelete) && (
          <td>
            {mayChange && <CategoryButton category={category} action="change" onOpen={onOpen} />}{' '}
            {mayDelete && <CategoryButton category={category} action="delete" onOpen={onOpen} />}
          </td>
        )}
      </tr>
    ))}
  </Table>
);

const CategoryButton = ({
  category,
  action,
  onOpen,
}: Pick<CategoryTableProps, 'onOpen'> & { category: Category; action: 'change' | 'delete' }) => (
  <button type="button" class="plain" data-action={action} onClick={() => onOpen(action, category)}>
    {strings.categories[action]}
    <span class="unseen">
      {': '}
      <Name text={category.name} />
    </span>
  </button>
);

function CategorySection() {
  const { may } = useMe();
  const [open, setOpen] = useState<Open<Category>>(null);
  const list = useList('/map-categories', { query: { limit: PAGE } });
  const props = { reload: list.reload, onClose: () => setOpen(null) };
  return (
    <section>
      <h2>{strings.categories.title}</h2>
      <Listing of={list} nothing={strings.categories.none}>
        {(categories) => (
          <CategoryTable
            categories={categories}
            mayChange={may('PATCH /map-categories/{categoryGuid}')}
            mayDelete={may('DELETE /map-categories/{categoryGuid}')}
            onOpen={(action, item) => setOpen({ action, item })}
          />
        )}
      </Listing>
      {may('POST /map-categories') && (
        <button type="button" data-action="new-category" onClick={() => setOpen({ action: 'new' })}>
          {strings.categories.new}
        </button>
      )}
      {open?.action === 'new' && <NewCategory {...props} />}
      {open?.action === 'change' && <ChangeCategory category={open.item} {...props} />}
      {open?.action === 'delete' && <DeleteCategory category={open.item} {...props} />}
    </section>
  );
}

/** Seasons and categories of maps. */
export const Seasons = () => (
  <>
    <Heading title={shared.sections.seasons} />
    <SeasonSection />
    <CategorySection />
  </>
);
