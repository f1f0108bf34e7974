import { Button } from '@stoa/sdk/ui/button'
import { Notice } from '@stoa/sdk/ui/notice'
import type { ApiError } from '@stoa/sdk/web'
import { Slot, useText } from '@stoa/sdk/web'
import { useState } from 'react'
import { historySlots } from '../../history/shared/api.ts'
import type { ChangedMeanwhile } from '../shared/api.ts'
import { turnedInto } from '../shared/turned-into.ts'
import styles from './post-form.module.css'
import type { PostValues } from './post-form.tsx'

/** What somebody else has stored since an edit was begun. */
export function useConflict() {
  const [conflict, setConflict] = useState<ChangedMeanwhile>()
  return {
    conflict,
    /** Keeps what a refusal says of the text that stands there now; the form shows the refusal itself. */
    async catching<T>(sending: Promise<T>): Promise<T> {
      try {
        return await sending
      } catch (error) {
        const { reason, data } = error as ApiError
        if (reason === 'error.experience.changed_meanwhile') setConflict(data as ChangedMeanwhile)
        throw error
      }
    },
    forget: () => setConflict(undefined),
  }
}

interface EditConflictProps {
  conflict: ChangedMeanwhile
  values: PostValues
  onTake(values: Partial<PostValues>): void
  onSettle(): void
}

/** It stands above a long form whose button is below: leads there once. */
const focused = (node: HTMLElement | null): void => node?.focus()

/** Somebody else was quicker: what they wrote beside what is in the form. Nothing is overwritten until it is said so. */
export function EditConflict({ conflict, values, onTake, onSettle }: EditConflictProps) {
  const t = useText('experiences')
  /** From now on the edit is one of the text that stands there now. */
  const goOn = (part: Partial<PostValues>) => () => {
    onTake({ ...part, base: conflict.version })
    onSettle()
  }
  const { title, content, tags, extensions, fields } = conflict
  const theirs = { title, content, tags, extensions: turnedInto(values.extensions, extensions) }
  const others = fields.filter(({ slug }) => JSON.stringify(extensions[slug]) !== JSON.stringify(values.extensions?.[slug]))
  return (
    <div ref={focused} tabIndex={-1}>
      <Notice
        tone="warning"
        live
        title={conflict.editor ? t('conflict.title_by', { name: conflict.editor }) : t('conflict.title')}
        action={
          <div className={styles.buttons}>
            <Button onClick={goOn({})}>{t('conflict.keep')}</Button>
            <Button onClick={goOn(theirs)}>{t('conflict.take')}</Button>
          </div>
        }
      >
        <p>{t('conflict.text')}</p>
        {conflict.title !== values.title && <p>{t('conflict.their_title', { title: conflict.title })}</p>}
        {others.map(({ slug, label, text }) => (
          <p key={slug}>{t('conflict.their_field', { label, text })}</p>
        ))}
        <Slot
          of={historySlots.difference}
          props={{ before: conflict.content, after: values.content }}
          empty={<pre className={styles.theirs}>{conflict.content}</pre>}
        />
      </Notice>
    </div>
  )
}
