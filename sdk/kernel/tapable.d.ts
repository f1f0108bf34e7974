/** tapable's classes by file: its index brings all ten. What they share is enough for us. */
interface TapableHook {
  tapPromise(options: { name: string; stage: number; when?: unknown }, fn: unknown): void
  promise(...args: unknown[]): Promise<unknown>
  compile(this: this, options: { taps: { name: string; when?: unknown; fn: unknown }[] }): unknown
}
type TapableClass = new (args: string[]) => TapableHook

declare module 'tapable/lib/AsyncParallelHook.js' {
  const AsyncParallelHook: TapableClass
  export default AsyncParallelHook
}
declare module 'tapable/lib/AsyncSeriesBailHook.js' {
  const AsyncSeriesBailHook: TapableClass
  export default AsyncSeriesBailHook
}
declare module 'tapable/lib/AsyncSeriesHook.js' {
  const AsyncSeriesHook: TapableClass
  export default AsyncSeriesHook
}
declare module 'tapable/lib/AsyncSeriesWaterfallHook.js' {
  const AsyncSeriesWaterfallHook: TapableClass
  export default AsyncSeriesWaterfallHook
}
