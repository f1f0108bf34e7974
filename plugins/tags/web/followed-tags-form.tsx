import { Button } from '@stoa/sdk/ui/button'
import { useApi, useText } from '@stoa/sdk/web'
import type { FormEvent } from 'react'
import { useEffect, useRef, useState } from 'react'
import { followCalls } from '../../follows/shared/api.ts'
import styles from './followed-tags.module.css'
import type { ChosenTag } from './tag-chooser.tsx'
import TagChooser from './tag-chooser.tsx'

/** As many as one call takes. */
const most = 200

/** Chooses the tags that one follows. What is refused is said at the field and stays. */
export default function FollowedTagsForm({ tags, onCancel, onSaved }: { tags: ChosenTag[]; onCancel(): void; onSaved(): void }) {
  const t = useText('tags')
  const calls = useApi()
  const [chosen, setChosen] = useState<ChosenTag[]>(tags)
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('input')?.focus(), [])

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (busy) return
    setBusy(true)
    setError(undefined)
    try {
      await calls.send(followCalls.followTags, { body: { slug_name_list: chosen.map((tag) => tag.slug_name) }, passingError: true })
      onSaved()
    } catch (failure) {
      setError((failure as { message: string }).message)
      setBusy(false)
    }
  }

  return (
    <form ref={form} method="post" onSubmit={(event) => void save(event)}>
      <TagChooser
        value={chosen}
        onChange={setChosen}
        error={error}
        wording={{ label: t('followed.field'), help: t('followed.help'), most, onlyKnown: true }}
      />
      <p className={styles.buttons}>
        <Button type="submit" variant="primary" size="small" busy={busy}>
          {t('followed.save')}
        </Button>
        <Button variant="quiet" size="small" onClick={onCancel}>
          {t('followed.cancel')}
        </Button>
      </p>
    </form>
  )
}
