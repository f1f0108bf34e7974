import type { ReplyOf } from '@stoa/sdk'
import { localStore, useApi, useLogin } from '@stoa/sdk/web'
import { useLayoutEffect, useState } from 'react'
import { pluginCalls } from '../administration/plugin-calls.ts'

type Values = Record<string, unknown>
type Form = ReplyOf<typeof pluginCalls.memberConfig>

const keyOf = (personId: string, slug: string) => `member-settings:${personId}:${slug}`
const valuesOf = ({ config_fields }: Form): Values => Object.fromEntries(config_fields.map(({ name, value }) => [name, value]))

/** What this document has asked for: the answer stands in the browser's storage. */
const asked = new Set<string>()

/**
 * What the member who reads has chosen for a plugin (`memberSettings` of its manifest), defaults filled in. Undefined for visitors and until it is
 * known; the browser remembers it, so that the next page begins with it.
 * @param asks false while it is not needed
 */
export function useMemberSettings<T extends Values = Values>(slug: string, asks = true): Partial<T> | undefined {
  const api = useApi()
  const { person, isNormal } = useLogin()
  const [values, setValues] = useState<Values>()
  const key = person && isNormal && asks ? keyOf(person.id, slug) : undefined
  useLayoutEffect(() => {
    if (!key) return setValues(undefined)
    setValues(localStore.get(key))
    if (asked.has(key)) return
    asked.add(key)
    api.send(pluginCalls.memberConfig, { query: { plugin_slug_name: slug }, passingError: true, ignoreServerError: true }).then(
      (form) => {
        localStore.set(key, valuesOf(form))
        setValues(valuesOf(form))
      },
      () => asked.delete(key),
    )
  }, [api, key, slug])
  return values as Partial<T> | undefined
}

/** The form of a plugin and what is saved with it, for the page that shows it. */
export const memberSettingsCalls = {
  list: pluginCalls.memberConfigs,
  form: pluginCalls.memberConfig,
  save: pluginCalls.saveMemberConfig,
}

/** Values that were just saved: {@link useMemberSettings} begins with them. */
export function rememberMemberSettings(personId: string, slug: string, values: Values): void {
  localStore.set(keyOf(personId, slug), values)
}
