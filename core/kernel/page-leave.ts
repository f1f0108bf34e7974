import type { WebKernel } from '@stoa/sdk/kernel/web'
import type { Move, TapContext } from '@stoa/sdk/web'
import { webHooks } from '@stoa/sdk/web'
import { useEffect } from 'react'
import { languageAtom } from './core-atoms.ts'
import type { Session } from './session.ts'
import type { Store } from './store.ts'
import type { Texts } from './texts.ts'

/** What it asks of the core. */
interface Leaving {
  store: Store
  texts: Texts
  session: Session
  kernel: Pick<WebKernel, 'useTap'>
  place(name: string): string | undefined
}

/** One question a move, however many parts of the page would lose something. */
const asked = new WeakMap<Move, Promise<'hold' | undefined>>()

async function ask(core: Leaving, { to }: Move, { confirm }: TapContext): Promise<'hold' | undefined> {
  const t = core.texts.translator('core', core.store.get(languageAtom))
  const hasExpired = to.pathname === core.place('login') && core.session.token() === undefined
  const goes = await confirm({
    title: t(hasExpired ? 'leave.expired' : 'leave.title'),
    text: t(hasExpired ? 'leave.expired_text' : 'leave.text'),
    confirm: t(hasExpired ? 'leave.log_in' : 'leave.go'),
    cancel: t('leave.stay'),
    tone: 'danger',
  })
  return goes ? undefined : 'hold'
}

/** Blocks router, reload and close while `active`. */
export function usePageLeave(core: Leaving, active: boolean): void {
  const hold = (move: Move, context: TapContext) => {
    if (move.from?.pathname === move.to.pathname) return undefined
    const answer = asked.get(move) ?? ask(core, move, context)
    asked.set(move, answer)
    return answer
  }
  core.kernel.useTap(webHooks.beforeNavigate, active ? hold : null)
  useEffect(() => {
    if (!active) return
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', onUnload)
    return () => removeEventListener('beforeunload', onUnload)
  }, [active])
}
