import type { ReplyOf } from '@stoa/sdk'
import { Button, ButtonLink } from '@stoa/sdk/ui/button'
import { Chip } from '@stoa/sdk/ui/chip'
import { useApi, usePluginOn, useText } from '@stoa/sdk/web'
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { tagCalls } from '../shared/api.ts'
import styles from './followed-tags.module.css'
import { chipOf } from './tag-chip.ts'

const FollowedTagsForm = lazy(() => import('./followed-tags-form.tsx'))

type Followed = ReplyOf<typeof tagCalls.following>

/** The tags that a member follows, edited in place. Nothing while tags cannot be followed. */
export default function FollowedTags() {
  return usePluginOn('follows') ? <Box /> : null
}

function Box() {
  const t = useText('tags')
  const calls = useApi()
  const [tags, setTags] = useState<Followed>()
  const [isEditing, setEditing] = useState(false)
  const edit = useRef<HTMLButtonElement>(null)
  const ask = useCallback(async () => {
    const found = await calls.send(tagCalls.following, { passingError: true, ignoreServerError: true }).catch(() => undefined)
    if (found) setTags(found)
  }, [calls])
  useEffect(() => void ask(), [ask])
  if (!tags) return null
  const close = () => {
    setEditing(false)
    // The button is there again with the next drawing.
    requestAnimationFrame(() => edit.current?.focus())
  }
  return (
    <section className={styles.box} aria-labelledby="followed-tags-title">
      <div className={styles.head}>
        <h2 id="followed-tags-title" className={styles.title}>
          {t('followed.title')}
        </h2>
        {!isEditing && tags.length > 0 && (
          <Button ref={edit} variant="quiet" size="small" icon="pencil" onClick={() => setEditing(true)}>
            {t('followed.edit')}
          </Button>
        )}
      </div>
      {isEditing ? (
        <Suspense fallback={<Chips tags={tags} />}>
          <FollowedTagsForm
            tags={tags}
            onCancel={close}
            // Not before what is shown then is there: with it another button comes, and would take the focus away.
            onSaved={() => void ask().then(close)}
          />
        </Suspense>
      ) : tags.length > 0 ? (
        <Chips tags={tags} />
      ) : (
        <>
          <p className={styles.hint}>{t('followed.empty')}</p>
          <p className={styles.buttons}>
            <Button ref={edit} size="small" icon="plus" onClick={() => setEditing(true)}>
              {t('followed.choose')}
            </Button>
            <ButtonLink to="/tags" size="small" variant="quiet">
              {t('followed.all')}
            </ButtonLink>
          </p>
        </>
      )}
    </section>
  )
}

function Chips({ tags }: { tags: Followed }) {
  return (
    <ul className={styles.tags}>
      {tags.map((tag) => (
        <li key={tag.tag_id}>
          <Chip {...chipOf(tag)} />
        </li>
      ))}
    </ul>
  )
}
