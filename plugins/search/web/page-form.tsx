import { Button } from '@stoa/sdk/ui/button'
import { useNavigate, useText } from '@stoa/sdk/web'
import { useEffect, useRef } from 'react'
import { MAX_QUERY_LENGTH } from '../shared/query-syntax.ts'
import styles from './search-page.module.css'
import { searchPath } from './search-path.ts'

/** The page's own field: on phones, where the header has none, and where nothing was asked yet. */
export function PageForm({ path, q, always }: { path: string; q: string; always: boolean }) {
  const t = useText('search')
  const navigate = useNavigate()
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (field.current) field.current.value = q
  }, [q])
  return (
    <form
      action={path}
      method="get"
      aria-label={t('box.label')}
      className={always ? styles.form : `${styles.form} ${styles.phone}`}
      onSubmit={(event) => {
        event.preventDefault()
        const text = field.current?.value.trim() ?? ''
        if (text) navigate(searchPath(path, { q: text, order: 'relevance' }))
      }}
    >
      <input
        ref={field}
        type="search"
        name="q"
        className={styles.field}
        defaultValue={q}
        maxLength={MAX_QUERY_LENGTH}
        required
        aria-label={t('box.label')}
        placeholder={t('box.placeholder')}
        autoComplete="off"
        // biome-ignore lint/a11y/noAutofocus: without a query, to type one is all there is to do here
        autoFocus={always}
        enterKeyHint="search"
      />
      <Button type="submit" variant="primary">
        {t('page.submit')}
      </Button>
    </form>
  )
}
