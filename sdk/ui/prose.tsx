import type { Translate } from '@stoa/sdk/web'
import { useSite, useText } from '@stoa/sdk/web'
import { useEffect, useMemo, useRef } from 'react'
import { classNames } from './class-names.ts'
import styles from './prose.module.css'

interface ProseProps {
  /** Sanitised by the server. */
  html: string
  /** For small print such as comments. */
  size?: 'small' | 'medium'
  /** Tells the ids in it from those of other texts on the page. */
  scope?: string
  className?: string
}

/** Chinese is not slanted: what emphasis is of Chinese gets marks below its characters instead. */
const marked = (html: string): string => html.replace(/<(em|i)>(?=[^<]*\p{Script=Han})/gu, '<$1 data-han>')

/** Pictures of other sites wait without their address: prose-live asks first. `own`: address of this site. */
const held = (html: string, own: string): string =>
  html.replace(/(<img\b[^>]*? )src="(?=(?:https?:)?\/\/)([^"]*)"/g, (all, before: string, src: string) =>
    own && src.startsWith(`${own}/`) ? all : `${before}data-src="${src}"`,
  )

/** Ids of headings and footnotes, and the addresses that lead to them. */
const scoped = (html: string, scope: string): string =>
  html.replace(/<(?:h[2-6]|a|li)\b[^>]*>/g, (tag) => tag.replace(/( id="| href="#)(h-|fn)/g, `$1$2${scope}-`))

/** What stored HTML leaves to the reader's language. */
const named = (html: string, t: Translate): string =>
  html
    .replaceAll('<details class="spoiler">', `<details class="spoiler"><summary>${t('kit.spoiler')}</summary>`)
    .replaceAll(' class="footnote-backref"', ` class="footnote-backref" aria-label="${t('kit.back')}"`)

/** Text that people wrote, as HTML. Once the page lives, code can be copied, headings linked to, pictures opened, and wide parts reached by keyboards. */
export function Prose({ html, size = 'medium', scope, className }: ProseProps) {
  const t = useText('core')
  const box = useRef<HTMLDivElement>(null)
  const { general, site_legal } = useSite()
  const own = site_legal?.external_content_display === 'ask_before_display' ? (general?.site_url ?? '') : undefined
  const content = useMemo(() => {
    const drawn = named(marked(scope ? scoped(html, scope) : html), t)
    return { __html: own === undefined ? drawn : held(drawn, own) }
  }, [html, own, scope, t])
  useEffect(() => {
    if (!box.current) return
    const text = box.current
    for (const wide of text.querySelectorAll<HTMLElement>('pre, table')) if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0
    if (!text.querySelector('pre, img, [id^="h-"]')) return
    let undo = () => {}
    let isGone = false
    import('./prose-live.ts').then(
      ({ enliven }) => {
        if (isGone) return
        const texts = {
          copy: t('kit.copy'),
          copied: t('kit.copied'),
          section: t('kit.section'),
          close: t('kit.close'),
          zoom: t('kit.zoom'),
          once: t('kit.held.once'),
          always: t('kit.held.always'),
        }
        undo = enliven(text, texts, styles as unknown as Parameters<typeof enliven>[2])
      },
      () => {},
    )
    return () => {
      isGone = true
      undo()
    }
  }, [content, t])
  return (
    <div
      ref={box}
      dir="auto"
      className={classNames(styles.prose, size === 'small' && styles.small, className)}
      dangerouslySetInnerHTML={content}
    />
  )
}
