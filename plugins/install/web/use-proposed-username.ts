import { useApi } from '@stoa/sdk/web'
import { useEffect, useRef } from 'react'
import { installCalls } from '../shared/api.ts'
import type { SiteForm } from './site-fields.tsx'

const PAUSE_MS = 300

/**
 * While nobody has typed a username, the one in the form follows the name.
 * @param isSent the form is on its way: nothing is proposed, for once the site is set up nobody answers
 * @returns the username to send: the one in the form, or the proposal that is still to come
 */
export function useProposedUsername(value: SiteForm, onChange: (value: SiteForm) => void, isSent: boolean): () => Promise<string> {
  const api = useApi()
  const proposed = useRef(value.name)
  const latest = useRef({ value, onChange })
  latest.current = { value, onChange }
  const name = value.display_name.trim()
  /** A form that was found again has its username: asking anew might come after the site is set up, when nobody answers. */
  const answered = useRef(value.name === '' ? '' : name)
  const isTyped = () => latest.current.value.name !== proposed.current
  const isDue = () => name !== '' && name !== answered.current && !isTyped()
  const ask = () =>
    api.send(installCalls.username, { query: { name }, passingError: true }).then(
      ({ username }) => username,
      () => undefined,
    )
  const accept = (username: string) => {
    answered.current = name
    proposed.current = username
    latest.current.onChange({ ...latest.current.value, name: username })
  }
  useEffect(() => {
    if (isSent || !isDue()) return
    let isOver = false
    const timer = setTimeout(async () => {
      if (isTyped()) return
      const username = await ask()
      if (username !== undefined && !isOver && !isTyped()) accept(username)
    }, PAUSE_MS)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [api, name, isSent])
  return async () => {
    const username = isDue() ? await ask() : undefined
    if (username === undefined || isTyped()) return latest.current.value.name
    accept(username)
    return username
  }
}
