import type { MenuAction } from '@stoa/sdk/ui/menu'
import { useLogin, useText, useToast } from '@stoa/sdk/web'
import { useEffect, useState } from 'react'
import type { Shared, Surroundings } from './ways.ts'

export interface ShownLink {
  url: string
  /** Text key of what to do with it. */
  hint: string
}

/** Ways to pass something on that this browser has. Labels are text keys. What they do is loaded with the first press. */
export function useShare(what: Shared) {
  const t = useText('share')
  const toast = useToast()
  const { person } = useLogin()
  const [here, setHere] = useState<Surroundings>()
  const [shown, setShown] = useState<ShownLink>()
  // The server knows no browser: what only some have joins once the page lives.
  useEffect(() => {
    setHere({ hasShare: typeof navigator.share === 'function', inside: insideOf(navigator.userAgent) })
  }, [])

  const act = (name: 'copy' | 'send' | 'mail' | 'inside') => () =>
    void import('./ways.ts').then((ways) => {
      const url = ways.linkOf(what, person?.username)
      if (name === 'inside') return setShown({ url, hint: `hint.${here?.inside}` })
      if (name === 'mail') return ways.mail(what, url)
      const passedOn = name === 'send' ? ways.send(what, url) : ways.copy(url).then(() => toast({ text: t('copied'), tone: 'success' }))
      return passedOn.catch(() => setShown({ url, hint: 'hint.by_hand' }))
    })

  const ways: (MenuAction & { label: string })[] = [
    ...(here?.inside ? [{ label: `inside.${here.inside}`, icon: 'message' as const, onSelect: act('inside') }] : []),
    { label: 'copy', icon: 'link', onSelect: act('copy') },
    ...(here?.hasShare && !here.inside ? [{ label: 'send', icon: 'send' as const, onSelect: act('send') }] : []),
    ...(here?.inside ? [] : [{ label: 'mail', icon: 'mail' as const, onSelect: act('mail') }]),
  ]
  return { ways, shown, close: () => setShown(undefined) }
}

/**
 * The app whose built-in browser this is. Source: specification, section 9. WeCom's says that it is WeChat's too; none of them has a system share,
 * and none opens a mail program.
 */
export function insideOf(userAgent: string): Surroundings['inside'] {
  if (/wxwork/i.test(userAgent)) return 'wecom'
  if (/MicroMessenger/i.test(userAgent)) return 'wechat'
  return /DingTalk/i.test(userAgent) ? 'dingtalk' : undefined
}
