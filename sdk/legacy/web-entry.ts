/** The module that sites of sdk 1.0 started in every tab, where a built plugin still has one. Nothing loads it now. */
export const webEntryOf = (modules: Record<string, unknown> | undefined): string | undefined =>
  Object.keys(modules ?? {}).find((module) => /^web\/index\.tsx?$/.test(module))
