import type { ApiError } from '@stoa/sdk/web'
import { useApi, useLogin, useNavigate, usePlace, useSearchParams, useSession, useToast } from '@stoa/sdk/web'
import { useEffect, useRef } from 'react'
import type { accountCalls } from '../../shared/api.ts'
import { outsideCalls } from '../../shared/api.ts'
import { stepPath } from './next-path.ts'
import { useAccountsText } from './use-accounts-text.ts'

type MailedCode = typeof accountCalls.activate | typeof accountCalls.confirmEmail

/** What a code has done that was used before; undefined for every other error. */
export const usedFor = (error: unknown): string | undefined => ((error as ApiError).data as { used?: string } | null | undefined)?.used

/**
 * Hands in the code of a mailed link once and logs in with what comes back.
 * @param done path to go to afterwards
 */
export function useMailedCode(call: MailedCode, done: string, onFailure: (message: string) => void): void {
  const api = useApi()
  const { login } = useSession()
  const navigate = useNavigate()
  const failed = usePlace('activationFailed') ?? '/'
  const [query] = useSearchParams()
  const isSent = useRef(false)
  const t = useAccountsText()
  const toast = useToast()
  const { isActivated } = useLogin()
  const isAtHome = useRef(isActivated)
  useEffect(() => {
    isAtHome.current = isActivated
  }, [isActivated])
  // Once: a code works only once.
  useEffect(() => {
    if (isSent.current) return
    isSent.current = true
    const code = query.get('code')
    void (async () => {
      if (!code) return navigate(failed, { replace: true })
      try {
        const { access_token } = await api.send(call, { body: { code }, passingError: true })
        await login(access_token)
        navigate(done, { replace: true })
      } catch (error) {
        const used = usedFor(error)
        if ((error as ApiError).reason === 'error.accounts.second_step') return navigate(stepPath(done), { replace: true })
        // The page for links that failed sends on whoever is activated.
        if (isAtHome.current) toast(used ? { text: t(`link.used.${used}`), tone: 'info' } : { text: t('link.expired'), tone: 'danger' })
        if (used) navigate(`${failed}?used=${used}`, { replace: true })
        else onFailure((error as ApiError).msg || (error as Error).message)
      }
    })()
  }, [])
}

/** Fetches the session that waits behind a login at another site, once. @param next path to go to instead of where they came from */
export function useHandedCode(code: string, next: string | undefined, onFailure: (message: string) => void): void {
  const api = useApi()
  const { login } = useSession()
  const navigate = useNavigate()
  const isSent = useRef(false)
  useEffect(() => {
    if (isSent.current || code === '') return
    isSent.current = true
    void (async () => {
      try {
        const { access_token } = await api.send(outsideCalls.handOver, { body: { code }, passingError: true })
        await login(access_token)
        if (next !== undefined) navigate(next, { replace: true })
      } catch (error) {
        if ((error as ApiError).reason === 'error.accounts.second_step') navigate(stepPath(next), { replace: true })
        else onFailure((error as ApiError).msg || (error as Error).message)
      }
    })()
  }, [])
}
