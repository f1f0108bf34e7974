import { pluginCalls } from '@stoa/sdk/administration'
import { Button } from '@stoa/sdk/ui/button'
import { Notice } from '@stoa/sdk/ui/notice'
import type { ApiError } from '@stoa/sdk/web'
import { useApi, useText, useToast } from '@stoa/sdk/web'
import { lazy, Suspense, useRef, useState } from 'react'
import styles from './plugins.module.css'
import type { SetPlan } from './types.ts'

const PlanDialog = lazy(() => import('./plan-dialog.tsx'))

/** Saves the whole set of plugins as a file, and applies one: what it would change is shown first. */
export function PluginSet({ onApplied }: { onApplied(): void }) {
  const t = useText('admin')
  const api = useApi()
  const toast = useToast()
  const input = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState('')
  const [chosen, setChosen] = useState<{ set: unknown; plan: SetPlan }>()

  async function attempt(work: () => Promise<void>): Promise<void> {
    setBusy(true)
    setRefusal('')
    try {
      await work()
    } catch (error) {
      setRefusal((error as ApiError).msg || (error as Error).message)
    } finally {
      setBusy(false)
    }
  }

  const save = () =>
    attempt(async () => {
      const set = await api.send(pluginCalls.exportSet, { passingError: true })
      const address = URL.createObjectURL(new Blob([`${JSON.stringify(set, null, 2)}\n`], { type: 'application/json' }))
      const link = Object.assign(document.createElement('a'), {
        href: address,
        download: `plugins-${new Date().toISOString().slice(0, 10)}.json`,
      })
      link.click()
      URL.revokeObjectURL(address)
    })

  const read = (file: File) =>
    attempt(async () => {
      let set: unknown = null
      try {
        set = JSON.parse(await file.text())
      } catch {
        // What is no JSON is refused by the server as what is no set.
      }
      setChosen({ set, plan: await api.send(pluginCalls.planSet, { body: { set }, passingError: true }) })
    })

  const apply = (withoutMissing: boolean) =>
    attempt(async () => {
      if (!chosen) return
      const { set, plan } = chosen
      setChosen(undefined)
      await api.send(pluginCalls.applySet, { body: { set, confirm: plan.epoch, without_missing: withoutMissing }, passingError: true })
      toast({ text: t('set.applied'), tone: 'success' })
      onApplied()
    })

  return (
    <>
      <div className={styles.set}>
        <Button icon="download" busy={busy} onClick={save}>
          {t('set.export')}
        </Button>
        <Button icon="upload" busy={busy} onClick={() => input.current?.click()}>
          {t('set.apply')}
        </Button>
        <input
          ref={input}
          type="file"
          accept=".json,application/json"
          hidden
          aria-label={t('set.apply')}
          onChange={(event) => {
            const [file] = event.target.files ?? []
            event.target.value = ''
            if (file) void read(file)
          }}
        />
        <p className={styles.dropHelp}>{t('set.help')}</p>
      </div>
      {refusal && (
        <Notice tone="danger" live title={t('set.refused')}>
          {refusal}
        </Notice>
      )}
      {chosen && (
        <Suspense>
          <PlanDialog plan={chosen.plan} onClose={() => setChosen(undefined)} onApply={apply} />
        </Suspense>
      )}
    </>
  )
}
