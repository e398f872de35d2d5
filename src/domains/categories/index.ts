export { categoryErrors } from './errors.ts';
export { categoryRoutes } from './routes.ts';
export { mapCategory } from './schemas.ts';
export { createCategories } from './service.ts';
export { findCategories, holdCategories } from './store.ts';
