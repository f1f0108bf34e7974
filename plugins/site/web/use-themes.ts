import type { ReplyOf } from '@stoa/sdk'
import { call } from '@stoa/sdk'
import type { ApiError } from '@stoa/sdk/web'
import { useApi, usePageLeave, useSession, useText } from '@stoa/sdk/web'
import { usePlugins } from '@stoa/sdk/web/live'
import { useCallback, useEffect, useState } from 'react'
import { siteCalls } from '../shared/api.ts'
import type * as schemas from '../shared/schemas.ts'

const themeCalls = {
  get: call.get<{ reply: typeof schemas.replies.theme }>('siteinfo/theme', { admin: true }),
  save: call.put<{ body: typeof schemas.bodies.theme; reply: typeof schemas.themes.reply }>('siteinfo/theme', { admin: true }),
}

interface Config {
  navbar_style: string
  primary_color: string
}

/** What the page edits: the theme, its own settings, and the scheme of the site. */
interface Value {
  theme: string
  color_scheme: string
  config: Config
}

type Stored = ReplyOf<typeof themeCalls.get>

const fresh: Config = { navbar_style: 'colored', primary_color: '#0033ff' }

const storedValue = ({ theme, theme_config, color_scheme }: Stored, chosen = theme): Value => ({
  theme: chosen,
  color_scheme: color_scheme || 'system',
  config: { ...fresh, ...theme_config[chosen] },
})

/** Themes of the site and what is chosen of them. Follows switches made elsewhere. */
export function useThemes(onSaved: () => void) {
  const api = useApi()
  const t = useText('site')
  const { refreshSite } = useSession()
  const { epoch } = usePlugins()
  const [themes, setThemes] = useState<ReplyOf<typeof siteCalls.themes>>()
  const [stored, setStored] = useState<Stored>()
  const [draft, setDraft] = useState<Value>()
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)

  const load = useCallback(async () => {
    const [list, group] = await Promise.all([api.send(siteCalls.themes), api.send(themeCalls.get)])
    setThemes(list)
    setStored(group)
  }, [api])
  useEffect(() => {
    void epoch
    load().catch(() => undefined)
  }, [load, epoch])

  const before = stored && storedValue(stored)
  const value = draft ?? before
  const saved = stored && value && { ...storedValue(stored, value.theme), theme: before?.theme }
  const changes =
    value && saved
      ? Number(value.theme !== saved.theme) +
        Number(value.color_scheme !== saved.color_scheme) +
        Number(value.config.navbar_style !== saved.config.navbar_style) +
        Number(value.config.primary_color.toLowerCase() !== saved.config.primary_color.toLowerCase())
      : 0
  usePageLeave(changes > 0)

  return {
    ...{ themes, value, changes, errors, problem, busy },
    change(next: Partial<Value>): void {
      if (!value || !stored) return
      setErrors({})
      setProblem('')
      // Each theme has its own colour and header.
      const config = next.theme !== undefined ? { config: storedValue(stored, next.theme).config } : {}
      setDraft({ ...value, ...config, ...next })
    },
    discard(): void {
      setDraft(undefined)
      setErrors({})
      setProblem('')
    },
    async save(): Promise<void> {
      if (!value) return
      setBusy(true)
      setErrors({})
      setProblem('')
      try {
        const { theme, color_scheme, config } = value
        const body = { theme, color_scheme, theme_config: { [theme]: config } }
        await api.send(themeCalls.save, { body: body as never, passingError: true })
        await Promise.all([load(), refreshSite()])
        setDraft(undefined)
        onSaved()
      } catch (error) {
        const { fields, msg } = error as ApiError
        setErrors(fields ?? {})
        setProblem(Object.keys(fields ?? {}).length > 0 ? t('themes.look_at_fields') : msg)
      } finally {
        setBusy(false)
      }
    },
  }
}
