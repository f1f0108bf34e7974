/** What seeders are written with: default export of `server/seed.ts`. */
export * from './seed.ts'
export type { SeedText } from './seed-text.ts'
