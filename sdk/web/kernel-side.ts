/** What the browser core gives to the sdk, and what the kit's own tests stand in for. Plugins use the hooks of `@stoa/sdk/web`. */

export { isAt } from './is-at.ts'
export * from './kernel.ts'
export * from './router-context.ts'
export type { UntypedSlotProps } from './slot-props.ts'
