import { read } from '@stoa/sdk'
import type { ReadContext } from '@stoa/sdk/server'
import type { HistoryObject, ObjectName, PresentText } from '../shared/api.ts'
import { historyObjects, presentTexts } from '../shared/api.ts'

export interface Target {
  object: HistoryObject
  present: PresentText
}
/** An object as the person who asks may see it, with its text; null for none. */
export const targetOf = read<ObjectName, Target | null>('history.target')

export async function readTarget(ctx: ReadContext, name: ObjectName): Promise<Target | null> {
  const object = await visibleObject(ctx, name)
  if (!object) return null
  const items = [{ ...name, present: null as PresentText | null }]
  await ctx.decorate(presentTexts, items)
  const present = items[0]?.present
  return present ? { object, present } : null
}

/** An object as the person who asks may see it; null for none. */
export async function visibleObject(ctx: ReadContext, { kind, n }: ObjectName): Promise<HistoryObject | null> {
  return (await visibleObjects(ctx, [{ kind, n }])).get(`${kind} ${n}`) ?? null
}

/** Those of these that the person who asks may see, by `<kind> <n>`. One statement for each kind. */
export async function visibleObjects(ctx: ReadContext, names: readonly ObjectName[]): Promise<Map<string, HistoryObject>> {
  const unique = new Map(names.map(({ kind, n }) => [`${kind} ${n}`, { kind, n, view: null as HistoryObject | null }]))
  await ctx.decorate(historyObjects, [...unique.values()])
  return new Map([...unique].flatMap(([key, { view }]) => (view ? [[key, view]] : [])))
}
