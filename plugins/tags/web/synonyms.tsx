import { Button } from '@stoa/sdk/ui/button'
import { Chip } from '@stoa/sdk/ui/chip'
import { TextField } from '@stoa/sdk/ui/field'
import { Section } from '@stoa/sdk/ui/page'
import type { ApiError } from '@stoa/sdk/web'
import { useApi, useText, useToast } from '@stoa/sdk/web'
import type { SyntheticEvent } from 'react'
import { useRef, useState } from 'react'
import { tagCalls } from '../shared/api.ts'
import styles from './tags.module.css'
import type { SynonymList, TagDetail } from './types.ts'

/** Other names of a tag; who may, edits them as a list. */
export function Synonyms({ tag, data, reload }: { tag: TagDetail; data: SynonymList; reload: () => Promise<void> }) {
  const t = useText('tags')
  const [isEditing, setEditing] = useState(false)
  const mayEdit = data.member_actions.length > 0
  const opener = useRef<HTMLButtonElement>(null)
  const close = () => {
    setEditing(false)
    // The button is there again with the next drawing.
    requestAnimationFrame(() => opener.current?.focus())
  }
  const edit = mayEdit && !isEditing && (
    <Button ref={opener} size="small" icon="pencil" onClick={() => setEditing(true)}>
      {t('tag.synonyms_edit')}
    </Button>
  )
  return (
    <Section title={t('tag.synonyms')} text={t('tag.synonyms_help')} actions={edit}>
      {data.synonyms.length === 0 ? (
        <p className={styles.muted}>{t('tag.synonyms_none')}</p>
      ) : (
        <ul className={styles.synonyms}>
          {data.synonyms.map((synonym) => (
            <li key={synonym.tag_id}>
              <Chip name={synonym.display_name || synonym.slug_name} />
            </li>
          ))}
        </ul>
      )}
      {isEditing && (
        <SynonymForm
          tag={tag}
          data={data}
          onDone={async () => {
            close()
            await reload()
          }}
          onCancel={close}
        />
      )}
    </Section>
  )
}

function SynonymForm({
  tag,
  data,
  onDone,
  onCancel,
}: {
  tag: TagDetail
  data: SynonymList
  onDone: () => Promise<void>
  onCancel: () => void
}) {
  const t = useText('tags')
  const calls = useApi()
  const toast = useToast()
  const [text, setText] = useState(data.synonyms.map((synonym) => synonym.slug_name).join(', '))
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const change = (next: string) => {
    setText(next)
    setError(undefined)
  }
  const save = async (event: SyntheticEvent) => {
    event.preventDefault()
    setBusy(true)
    setError(undefined)
    const names = text
      .split(/[,，、]/)
      .map((name) => name.trim())
      .filter(Boolean)
    try {
      await calls.send(tagCalls.setSynonyms, {
        body: { tag_id: tag.tag_id, synonym_tag_list: names.map((name) => ({ slug_name: name, display_name: name })) },
        passingError: true,
      })
    } catch (failure) {
      const { fields, msg } = failure as ApiError
      setError(fields?.synonym_tag_list ?? msg)
      setBusy(false)
      return
    }
    toast({ text: t('tag.saved'), tone: 'success' })
    await onDone()
  }
  return (
    <form method="post" className={styles.form} onSubmit={(event) => void save(event)}>
      <TextField label={t('tag.synonyms_field')} value={text} onChange={change} error={error} autoFocus />
      <div className={styles.buttons}>
        <Button type="submit" variant="primary" busy={isBusy}>
          {t('tag.synonyms_save')}
        </Button>
        <Button variant="quiet" onClick={onCancel}>
          {t('tag.cancel')}
        </Button>
      </div>
    </form>
  )
}
