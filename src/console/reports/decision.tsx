import { Name } from '../../pages/parts/name.ts';
import { Time } from '../../pages/parts/time.ts';
import { Person } from '../parts/person.tsx';
import { Listing } from '../parts/reading.tsx';
import { useList } from '../read.ts';
import { strings } from './strings.ts';

/** The decision about a report, with its author and comment. They are read from the audit log. */
export function DecisionOf({ reportGuid }: { reportGuid: string }) {
  const target = `/reports/${reportGuid}`;
  const list = useList('/audit-log', { query: { target, limit: 1 } });
  return (
    <Listing of={list}>
      {(entries) =>
        entries.map(({ at, actor, after }) => {
          const { status, comment } = (after ?? {}) as {
            status?: keyof typeof strings.status;
            comment?: string;
          };
          return (
            <p key={at}>
              {status !== undefined && strings.decidedAs(strings.status[status])}{' '}
              {comment !== undefined && (
                <q>
                  <Name text={comment} most={1000} />
                </q>
              )}{' '}
              {actor !== null && (
                <>
                  {strings.decidedBy} <Person playerGuid={actor} />,{' '}
                </>
              )}
              <Time at={at} />
            </p>
          );
        })
      }
    </Listing>
  );
}
