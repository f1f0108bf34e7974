import type { ServerContext } from '@stoa/sdk/server'
import type { AccountTables } from './tables.ts'

/** As the owner has chosen; both may name methods whose plugin is away. */
export interface Chosen {
  login_order: readonly string[]
  /** The method that stands before everything else; empty: none. */
  login_first: string
}

/** In which order logins at other sites stand. What is away keeps its place until it comes back, what is new comes last. */
export function createLoginOrder(ctx: ServerContext<AccountTables>) {
  const chosen = (): Chosen => ({ login_order: [], login_first: '', ...ctx.plugin.settings.get<Partial<Chosen>>() })

  return {
    chosen,
    isFirst: (id: string): boolean => chosen().login_first === id,

    sorted<Method extends { id: string }>(methods: readonly Method[]): Method[] {
      const { login_order, login_first } = chosen()
      const places = new Map([login_first, ...login_order.filter((id) => id !== login_first)].map((id, place) => [id, place]))
      const placeOf = ({ id }: Method) => places.get(id) ?? places.size
      return methods.toSorted((one, other) => placeOf(one) - placeOf(other))
    },
  }
}
export type LoginOrder = ReturnType<typeof createLoginOrder>
