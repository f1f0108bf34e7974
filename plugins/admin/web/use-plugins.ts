import type { ReplyOf } from '@stoa/sdk'
import { pluginCalls } from '@stoa/sdk/administration'
import type { ApiError } from '@stoa/sdk/web'
import { languageTag, useApi, useConfirm, useLanguage, useText, useToast } from '@stoa/sdk/web'
import { usePlugins as usePluginSet } from '@stoa/sdk/web/live'
import { useCallback, useEffect, useState } from 'react'
import type { PluginActions, PluginRow, SwitchQuestion, SwitchRefusal } from './types.ts'
import { INSTALL } from './types.ts'

const LOOK_MS = 10_000

/** The plugins as the server sees them now, and the switch. Follows switches made elsewhere. */
export function usePlugins() {
  const api = useApi()
  const toast = useToast()
  const confirm = useConfirm()
  const t = useText('admin')
  const { epoch } = usePluginSet()
  const [rows, setRows] = useState<PluginRow[] | null>(null)
  const language = useLanguage()
  const [question, setQuestion] = useState<SwitchQuestion>()
  const [busy, setBusy] = useState<string | null>(null)
  /** Why the last try of a plugin was refused. */
  const [refusals, setRefusals] = useState<ReadonlyMap<string, string>>(new Map())
  /** What was installed last. */
  const [arrived, setArrived] = useState<string>()

  const load = useCallback(async () => {
    const loaded = await api.send(pluginCalls.list)
    setRows(loaded)
    return loaded
  }, [api])
  useEffect(() => {
    load().catch(() => undefined)
    // What is dropped into the data directory changes nothing of the page's own map.
    const timer = setInterval(() => document.visibilityState === 'visible' && load().catch(() => undefined), LOOK_MS)
    return () => clearInterval(timer)
  }, [load, epoch])

  const nameOf = (slug: string) => rows?.find((row) => row.slug_name === slug)?.name ?? slug
  const names = (slugs: readonly string[]) => new Intl.ListFormat(languageTag(language)).format(slugs.map(nameOf))

  /** @returns the choice; undefined when nothing is to be done */
  const ask = (asked: Omit<SwitchQuestion, 'answer'>): Promise<string | undefined> =>
    new Promise((resolve) => {
      setQuestion({
        ...asked,
        answer(choice) {
          setQuestion(undefined)
          resolve(choice)
        },
      })
    })

  /** @param wish what is asked for switches a plugin itself, beside the others */
  async function agree(refusal: SwitchRefusal, wish?: { name: string; on: boolean }): Promise<boolean> {
    const { also_off: alsoOff = [], also_on: alsoOn = [], notes = [] } = refusal
    const on = alsoOn.length + Number(wish?.on === true)
    const off = alsoOff.length + Number(wish?.on === false)
    const deed = t(on && off ? 'plugins.deed_both' : on ? 'plugins.deed_on' : 'plugins.deed_off', { count: on + off })
    const name = wish?.name ?? ''
    const lines = [
      alsoOff.length > 0 ? t(wish?.on ? 'plugins.gives_way' : 'plugins.goes_along', { name, names: names(alsoOff) }) : '',
      alsoOn.length > 0 ? t('plugins.comes_along', { name, names: names(alsoOn) }) : '',
      off > 0 ? t(alsoOff.length > 0 && wish?.on === false ? 'plugins.data_stays_and_back' : 'plugins.data_stays', { name }) : '',
    ]
    const title = t('plugins.deed_title', { deed })
    return (await ask({ title, lines: lines.filter(Boolean), warnings: notes, choices: [{ value: 'go', label: deed }] })) !== undefined
  }

  /** What went off along with it can come back with it. @returns undefined when nothing is to be done */
  async function along(row: PluginRow): Promise<string[] | undefined> {
    if (row.brings_back.length === 0) return []
    const choice = await ask({
      title: t('plugins.back_title', { name: row.name }),
      lines: [t('plugins.back_text', { name: row.name, names: names(row.brings_back) })],
      warnings: [],
      choices: [
        { value: 'alone', label: t('plugins.back_alone') },
        { value: 'all', label: t('plugins.back_all', { count: row.brings_back.length + 1 }) },
      ],
    })
    return choice === undefined ? undefined : choice === 'all' ? row.brings_back : []
  }

  /**
   * One at a time. The switch stays what has the focus, so it is not disabled meanwhile.
   * @param key whose refusal it would be: a slug, or `INSTALL`
   * @param done what is said afterwards; made from the new rows where it is not known before
   */
  async function attempt(
    key: string,
    work: (confirmed?: number) => Promise<unknown>,
    done: string | ((now: PluginRow[]) => string),
    wish?: { name: string; on: boolean },
  ): Promise<void> {
    if (busy !== null) return
    setBusy(key)
    setRefusals((others) => new Map([...others].filter(([other]) => other !== key)))
    try {
      try {
        await work()
      } catch (error) {
        const refusal = (error as ApiError).data as SwitchRefusal | null
        if (refusal?.epoch === undefined) throw error
        if (!(await agree(refusal, wish))) return
        await work(refusal.epoch)
      }
      toast({ text: typeof done === 'string' ? done : done(await load()), tone: 'success' })
    } catch (error) {
      setRefusals((others) => new Map(others).set(key, (error as ApiError).msg || (error as Error).message))
    } finally {
      setBusy(null)
      await load().catch(() => undefined)
    }
  }

  const quietly = { passingError: true }
  const named = (row: PluginRow, confirmed?: number) => ({
    plugin_slug_name: row.slug_name,
    ...(confirmed !== undefined && { confirm: confirmed }),
  })
  /** A version that was put into quarantine is asked about first. */
  async function rollBack(row: PluginRow): Promise<void> {
    try {
      await api.send(pluginCalls.rollback, { body: named(row), ...quietly })
    } catch (error) {
      const { reason, msg } = error as ApiError
      const version = t('plugins.roll_back', { version: row.rollback_to })
      if (reason !== 'error.plugin.quarantined_before' || !(await confirm({ title: version, text: msg, confirm: version }))) throw error
      await api.send(pluginCalls.rollback, { body: { ...named(row), force: true }, ...quietly })
    }
  }
  const actions: PluginActions = {
    async toggle(row, enabled) {
      if (busy !== null) return
      const others = enabled ? await along(row) : []
      if (!others) return
      await attempt(
        row.slug_name,
        (confirmed) =>
          api.send(pluginCalls.switch, {
            body: { ...named(row, confirmed), enabled, ...(others.length > 0 && { with: others }) },
            ...quietly,
          }),
        t(enabled ? 'plugins.switched_on' : 'plugins.switched_off', { name: names([row.slug_name, ...others]) }),
        { name: row.name, on: enabled },
      )
    },
    rollBack: (row) => attempt(row.slug_name, () => rollBack(row), t('plugins.rolled_back', { name: row.name, version: row.rollback_to })),
    async remove(row) {
      const text = t(row.comes_with_site ? 'plugins.remove_bundled' : 'plugins.remove_text')
      if (!(await confirm({ title: t('plugins.remove_title', { name: row.name }), text, confirm: t('plugins.remove') }))) return
      await attempt(
        row.slug_name,
        (confirmed) => api.send(pluginCalls.remove, { body: named(row, confirmed), ...quietly }),
        t('plugins.removed', { name: row.name }),
      )
    },
    async eraseData(row) {
      const question = { title: t('plugins.erase_title', { name: row.name }), text: t('plugins.erase_help'), confirm: t('plugins.erase') }
      if (!(await confirm({ ...question, tone: 'danger' }))) return
      await attempt(
        row.slug_name,
        () => api.send(pluginCalls.eraseData, { body: named(row), ...quietly }),
        t('plugins.erased', { name: row.name }),
      )
    },
    async install(file) {
      let taken: ReplyOf<typeof pluginCalls.install> | undefined
      setArrived(undefined)
      await attempt(
        INSTALL,
        async () => {
          taken = await api.upload(pluginCalls.install, {}, file, quietly)
        },
        (now) => {
          const row = now.find((other) => other.slug_name === taken?.plugin_slug_name)
          return t(row?.enabled ? 'plugins.replaced' : 'plugins.taken', { name: row?.name ?? file.name, version: taken?.version })
        },
      )
      setArrived(taken?.plugin_slug_name)
    },
  }
  return { rows, busy, refusals, arrived, actions, nameOf, question, reload: load }
}
