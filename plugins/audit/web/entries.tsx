import type { ReplyOf } from '@stoa/sdk'
import { Avatar } from '@stoa/sdk/ui/avatar'
import { Time } from '@stoa/sdk/ui/time'
import { Link, useText } from '@stoa/sdk/web'
import { useNavigation } from '@stoa/sdk/web/live'
import { Fragment } from 'react'
import type { auditCalls } from '../shared/api.ts'
import styles from './entries.module.css'

type Entry = ReplyOf<typeof auditCalls.page>['list'][number]

/** Sentences of who did what, with what was before. */
export function Entries({ entries }: { entries: readonly Entry[] }) {
  return (
    <ol className={styles.list}>
      {entries.map((entry) => (
        <li key={entry.id} className={styles.entry}>
          <Avatar name={entry.actor.display_name || '·'} src={entry.actor.avatar} size={28} />
          <div className={styles.words}>
            <p dir="auto" className={styles.sentence}>
              <Actor actor={entry.actor} /> <Phrase entry={entry} />
            </p>
            {entry.note && (
              <p dir="auto" className={styles.note}>
                {entry.note}
              </p>
            )}
            <Changes changes={entry.changes} />
          </div>
          <span className={styles.when}>
            <Time at={entry.created_at} />
          </span>
        </li>
      ))}
    </ol>
  )
}

function Actor({ actor }: { actor: Entry['actor'] }) {
  const t = useText('audit')
  if (actor.id === '') return <span className={styles.name}>{t('site')}</span>
  if (actor.username === '') return <span className={styles.name}>{actor.display_name}</span>
  return (
    <Link className={styles.name} to={`/users/${actor.username}`}>
      {actor.display_name}
    </Link>
  )
}

/** What was done, with a link where the object's name stands. */
function Phrase({ entry: { phrase, object } }: { entry: Entry }) {
  const pages = useNavigation('admin')
  // Pages of settings are called as the reader's list of pages calls them; what was logged is in the language of the site.
  const page = object.kind === 'settings' ? pages.find(({ path }) => path === object.path)?.label : undefined
  const label = page || object.label || (object.id && `#${object.id}`)
  const named = object.path ? <Link to={object.path}>{label}</Link> : label
  return phrase.split('{{object}}').map((part, index) => (
    <Fragment key={index}>
      {index > 0 && named}
      {part}
    </Fragment>
  ))
}

function Changes({ changes }: { changes: Entry['changes'] }) {
  const t = useText('audit')
  const worded = (value: string) => (value === 'true' || value === 'false' ? t(value === 'true' ? 'on' : 'off') : value)
  const said = (change: Entry['changes'][number]) => {
    const [from, to] = [worded(change.from), worded(change.to)]
    if (from === '' && to === '') return t('changed')
    return t(from === '' ? 'was_empty' : to === '' ? 'is_empty' : 'was', { from, to })
  }
  if (changes.length === 0) return null
  const list = (
    <ul className={styles.changes}>
      {changes.map((change, index) => (
        <li key={index} dir="auto">
          <strong>{change.field}</strong> {said(change)}
        </li>
      ))}
    </ul>
  )
  if (changes.length <= 3) return list
  return (
    <details>
      <summary className={styles.more}>{t('changes', { count: changes.length })}</summary>
      {list}
    </details>
  )
}
