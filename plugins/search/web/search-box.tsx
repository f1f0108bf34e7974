import { Icon } from '@stoa/sdk/ui/icon'
import { Link, useApi, useLocation, useNavigate, usePlace, useSite, useText } from '@stoa/sdk/web'
import type { FormEvent, MouseEvent } from 'react'
import { useEffect, useId, useRef } from 'react'
import { MAX_QUERY_LENGTH } from '../shared/query-syntax.ts'
import styles from './search-box.module.css'
import { searchPath } from './search-path.ts'

/** A plain form, so that it works before and without scripts; on phones a link to the page. */
export default function SearchBox() {
  const t = useText('search')
  const path = usePlace('search') ?? '/search'
  const navigate = useNavigate()
  const location = useLocation()
  const api = useApi()
  const site = useSite()
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDataListElement>(null)
  const listId = useId()
  const isCompleting = useRef(false)
  const present = location.pathname === path ? (new URLSearchParams(location.search).get('q') ?? '') : ''
  // The address is the truth after each navigation; while somebody types, the field is.
  useEffect(() => {
    if (field.current) field.current.value = present
  }, [present])
  const startCompleting = () => {
    if (isCompleting.current) return
    isCompleting.current = true
    const permalink = site.site_seo?.permalink ?? site.general?.permalink ?? 1
    void import('./complete.ts').then(({ complete }) => {
      if (field.current && list.current)
        complete({ field: field.current, list: list.current, before: present, api, permalink, go: (to) => void navigate(to) })
    })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const q = field.current?.value.trim() ?? ''
    if (q) navigate(searchPath(path, { q, order: 'relevance' }))
    else field.current?.focus()
  }
  /** On the page itself, which has a field of its own. */
  const focusPageField = (event: MouseEvent) => {
    if (location.pathname !== path) return
    event.preventDefault()
    document.querySelector<HTMLElement>('main input[type=search]')?.focus()
  }
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: the role is what tools and older readers look for */}
      <form role="search" action={path} method="get" className={styles.form} onSubmit={submit}>
        <span className={styles.icon}>
          <Icon name="search" size={16} />
        </span>
        <input
          ref={field}
          type="search"
          name="q"
          className={styles.input}
          defaultValue={present}
          maxLength={MAX_QUERY_LENGTH}
          aria-label={t('box.label')}
          placeholder={t('box.placeholder')}
          autoComplete="off"
          enterKeyHint="search"
          list={listId}
          onFocus={startCompleting}
        />
        <datalist id={listId} ref={list} />
        <span className={styles.key} aria-hidden="true">
          /
        </span>
      </form>
      <Link to={path} className={styles.link} aria-label={t('box.label')} aria-keyshortcuts="/" onClick={focusPageField}>
        <Icon name="search" size={20} />
      </Link>
    </>
  )
}
