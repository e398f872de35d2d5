export { categoryErrors } from './errors.ts';
export { categoryRoutes } from './routes.ts';
export { mapCategory } from './schemas.ts';
export { createCategories } from './service.ts';
export { holdCategories } from './store.ts';
