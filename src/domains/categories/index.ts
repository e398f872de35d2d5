import type { Http } from '../../platform/http/server.ts';
import { categoryRoutes } from './routes.ts';
import { type CategoriesOptions, createService } from './service.ts';

export { categoryErrors } from './errors.ts';
export { mapCategory } from './schemas.ts';
export { findCategories, shareCategories } from './store.ts';

/** Opens the domain. */
export const createCategories = (options: CategoriesOptions) => {
  const categories = createService(options);
  return { ...categories, routes: (http: Http) => http.register(categoryRoutes, { categories }) };
};
