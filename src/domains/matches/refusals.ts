import { refusalsOf } from '../../platform/http/refusals.ts';
import { playerErrors } from '../players/index.ts';
import { poolErrors } from '../pools/index.ts';
import { matchErrors } from './errors.ts';

export const refusals = refusalsOf({ ...playerErrors, ...poolErrors, ...matchErrors });
