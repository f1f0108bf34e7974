import type { ApiError } from '@stoa/sdk/web'
import { useApi, useConfirm, useKernel, useText, useToast } from '@stoa/sdk/web'
import { useCallback, useEffect, useState } from 'react'
import type { PluginActions, PluginRow, SwitchRefusal } from './types.ts'
import { INSTALL, PLUGIN_PATH, PLUGINS_PATH } from './types.ts'

const LOOK_MS = 10_000

/** The plugins as the server sees them now, and the switch. Follows switches made elsewhere. */
export function usePlugins() {
  const api = useApi()
  const toast = useToast()
  const confirm = useConfirm()
  const t = useText('admin')
  const { epoch } = useKernel().usePlugins()
  const [rows, setRows] = useState<PluginRow[] | null>(null)
  const [busy, setBusy] = useState<string | null>(null)
  /** Why the last try of a plugin was refused. */
  const [refusals, setRefusals] = useState<ReadonlyMap<string, string>>(new Map())
  /** What was installed last. */
  const [arrived, setArrived] = useState<string>()

  const load = useCallback(async () => {
    const loaded = await api.get<PluginRow[]>(PLUGINS_PATH)
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
  const names = (slugs: readonly string[] = []) => slugs.map(nameOf).join(t('list_separator'))

  async function agree(refusal: SwitchRefusal): Promise<boolean> {
    const lines = [
      refusal.also_off?.length ? t('plugins.also_off', { names: names(refusal.also_off) }) : '',
      refusal.also_on?.length ? t('plugins.also_on', { names: names(refusal.also_on) }) : '',
    ]
    return confirm({
      title: t('plugins.also_title'),
      text: `${lines.filter(Boolean).join(' ')} ${t('plugins.data_stays')}`,
      confirm: t('plugins.also_confirm'),
    })
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
        if (!(await agree(refusal))) return
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
      await api.post(`${PLUGIN_PATH}/rollback`, named(row), quietly)
    } catch (error) {
      const { reason, msg } = error as ApiError
      const version = t('plugins.roll_back', { version: row.rollback_to })
      if (reason !== 'error.plugin.quarantined_before' || !(await confirm({ title: version, text: msg, confirm: version }))) throw error
      await api.post(`${PLUGIN_PATH}/rollback`, { ...named(row), force: true }, quietly)
    }
  }
  const actions: PluginActions = {
    toggle: (row, enabled) =>
      attempt(
        row.slug_name,
        (confirmed) => api.put(`${PLUGIN_PATH}/status`, { ...named(row, confirmed), enabled }, quietly),
        t(enabled ? 'plugins.switched_on' : 'plugins.switched_off', { name: row.name }),
      ),
    rollBack: (row) => attempt(row.slug_name, () => rollBack(row), t('plugins.rolled_back', { name: row.name, version: row.rollback_to })),
    async remove(row) {
      const text = t(row.comes_with_site ? 'plugins.remove_bundled' : 'plugins.remove_text')
      if (!(await confirm({ title: t('plugins.remove_title', { name: row.name }), text, confirm: t('plugins.remove') }))) return
      await attempt(
        row.slug_name,
        (confirmed) => api.del(PLUGIN_PATH, named(row, confirmed), quietly),
        t('plugins.removed', { name: row.name }),
      )
    },
    async eraseData(row) {
      const question = { title: t('plugins.erase_title', { name: row.name }), text: t('plugins.erase_help'), confirm: t('plugins.erase') }
      if (!(await confirm({ ...question, tone: 'danger' }))) return
      await attempt(row.slug_name, () => api.del(`${PLUGIN_PATH}/data`, named(row), quietly), t('plugins.erased', { name: row.name }))
    },
    async install(file) {
      let taken: { plugin_slug_name: string; version: string } | undefined
      setArrived(undefined)
      await attempt(
        INSTALL,
        async () => {
          taken = await api.upload(`${PLUGIN_PATH}/install`, {}, file, quietly)
        },
        (now) => {
          const row = now.find((other) => other.slug_name === taken?.plugin_slug_name)
          return t(row?.enabled ? 'plugins.replaced' : 'plugins.taken', { name: row?.name ?? file.name, version: taken?.version })
        },
      )
      setArrived(taken?.plugin_slug_name)
    },
  }
  return { rows, busy, refusals, arrived, actions, nameOf }
}
