export { categoryErrors } from './errors.ts';
export { categoryRoutes } from './routes.ts';
export { type MapCategory, mapCategory } from './schemas.ts';
export { type Categories, createCategories } from './service.ts';
export { holdCategories } from './store.ts';
