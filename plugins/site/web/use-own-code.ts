import type { ReplyOf } from '@stoa/sdk'
import { call } from '@stoa/sdk'
import type { ApiError } from '@stoa/sdk/web'
import { useApi, usePageLeave, useSession, useText } from '@stoa/sdk/web'
import { useEffect, useState } from 'react'
import { siteCalls } from '../shared/api.ts'
import type * as schemas from '../shared/schemas.ts'

const codeCalls = {
  get: call.get<{ reply: (typeof schemas.replies)['custom-css-html'] }>('siteinfo/custom-css-html', { admin: true }),
  save: call.put<{ body: (typeof schemas.bodies)['custom-css-html']; reply: typeof schemas.themes.reply }>('siteinfo/custom-css-html', {
    admin: true,
  }),
}

type Code = ReplyOf<typeof codeCalls.get>
export type CodeField = keyof Code

/** After the last key. */
const PREVIEW_MS = 300

/** What the owner writes into pages, what pages show of it, and its saving. */
export function useOwnCode(onSaved: () => void) {
  const api = useApi()
  const t = useText('site')
  const { refreshSite } = useSession()
  const [stored, setStored] = useState<Code>()
  const [value, setValue] = useState<Code>()
  const [preview, setPreview] = useState<ReplyOf<typeof siteCalls.previewCode>>()
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)

  useEffect(() => {
    api
      .send(codeCalls.get)
      .then((code) => {
        setStored(code)
        setValue(code)
      })
      .catch(() => undefined)
  }, [api])
  useEffect(() => {
    if (!value) return
    const controller = new AbortController()
    const timer = setTimeout(() => {
      api
        .send(siteCalls.previewCode, { body: value, passingError: true, signal: controller.signal })
        .then(setPreview)
        .catch(() => undefined)
    }, PREVIEW_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [api, value])

  const changed = value && stored ? (Object.keys(value) as CodeField[]).filter((name) => value[name] !== stored[name]) : []
  usePageLeave(changed.length > 0)

  return {
    ...{ value, preview, errors, problem, busy, changes: changed.length },
    change(name: CodeField, text: string): void {
      setErrors(({ [name]: _, ...others }) => others)
      setProblem('')
      setValue((now) => now && { ...now, [name]: text })
    },
    discard(): void {
      setValue(stored)
      setErrors({})
      setProblem('')
    },
    async save(): Promise<void> {
      if (!value) return
      setBusy(true)
      setErrors({})
      setProblem('')
      try {
        await api.send(codeCalls.save, { body: value, passingError: true })
        setStored(value)
        await refreshSite()
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
