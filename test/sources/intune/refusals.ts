/** Refusals of the service. */
import { reply } from './tenant.ts';

export const forbidden = reply({ error: { code: 'Forbidden', message: 'https://fef.example' } }, 403);
