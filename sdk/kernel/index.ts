/** What only the kernel and its tools use. Plugins have no business here. */
export * from './at-once.ts'
export * from './check-manifest.ts'
export * from './contracts.ts'
export * from './errors.ts'
export * from './points.ts'
