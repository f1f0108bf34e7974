import type { Extensions } from '@stoa/sdk'
import { Button } from '@stoa/sdk/ui/button'
import { DraftNotice } from '@stoa/sdk/ui/draft-notice'
import type { EditorProps } from '@stoa/sdk/ui/editor-props'
import { TextArea, TextField } from '@stoa/sdk/ui/field'
import { Notice } from '@stoa/sdk/ui/notice'
import { Time } from '@stoa/sdk/ui/time'
import type { ApiError } from '@stoa/sdk/web'
import { kernelSlots, Slot, useDraft, useNavigate, usePageLeave, useText } from '@stoa/sdk/web'
import { Fields } from '@stoa/sdk/web/fields'
import type { ReactNode, SyntheticEvent } from 'react'
import { useEffect, useRef, useState } from 'react'
import { experienceSlots } from '../shared/api.ts'
import styles from './post-form.module.css'
import { SimilarPosts } from './similar-posts.tsx'

export interface PostValues {
  title: string
  content: string
  tags: { slug_name: string; display_name?: string; original_text?: string }[]
  /** Values of other plugins; what a switched-off one had is kept with the draft. */
  extensions?: Extensions | undefined
  /** Of an edit: what was changed and why. */
  edit_summary?: string
  /** Of an edit: version it is made from. It stays with the draft, so that one that is sent late overwrites nothing. */
  base?: number | undefined
}

export interface PostFormProps {
  initial: PostValues
  /** Name of the draft, unique per post. */
  draft: string
  submitLabel: string
  /** Further fields, above the buttons. */
  extra?: (values: PostValues, set: (part: Partial<PostValues>) => void) => ReactNode
  /** Above the first field, with what is in the form and how to change it. */
  above?: (values: PostValues, set: (part: Partial<PostValues>) => void) => ReactNode
  /** Shows posts like the title that is being typed. */
  suggests?: boolean
  cancelTo?: string
  cancelLabel?: string
  /** Sends the form. @returns where to go then */
  onSend: (values: PostValues) => Promise<string>
}

/** Source: specification, section 5. */
const LONGEST_TITLE = 150

const isBlank = ({ title, content, tags, extensions = {} }: PostValues) =>
  title.trim() === '' && content.trim() === '' && tags.length === 0 && Object.values(extensions).every((value) => value === null)

/** Title, text and tags in one calm column. Nothing written is lost: drafts, a prompt before leaving, and errors that keep every field. */
export function PostForm(props: PostFormProps) {
  const t = useText('experiences')
  const [values, setValues] = useState(props.initial)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [failure, setFailure] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [sentTo, setSentTo] = useState<string>()
  const form = useRef<HTMLFormElement>(null)
  const initial = useRef(JSON.stringify(props.initial))
  const isChanged = JSON.stringify(values) !== initial.current
  const draft = useDraft(props.draft, values, (now) => isBlank(now) || JSON.stringify(now) === initial.current, setValues)
  const navigate = useNavigate()
  usePageLeave(isChanged && sentTo === undefined && !draft.isKept)
  useEffect(() => {
    if (sentTo !== undefined) void navigate(sentTo, { replace: true })
  }, [sentTo, navigate])

  const set = (part: Partial<PostValues>) => {
    setValues((now) => ({ ...now, ...part }))
    setFailure('')
    setErrors((now) => Object.fromEntries(Object.entries(now).filter(([name]) => !(name in part))))
  }
  const fields = {
    props: { title: values.title },
    bag: values.extensions,
    errors,
    onChange: (extensions: Extensions, slug: string) => {
      setValues((now) => ({ ...now, extensions }))
      const own = `extensions.${slug}`
      setErrors((now) => Object.fromEntries(Object.entries(now).filter(([name]) => name !== own && !name.startsWith(`${own}.`))))
    },
  }
  const send = async (event: SyntheticEvent) => {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    setFailure('')
    try {
      const to = await props.onSend(values)
      draft.clear()
      setSentTo(to)
    } catch (error) {
      const { fields = {}, msg } = error as ApiError
      // What is wrong with one tag is said of its members; here they have one field.
      const aboutTags = fields.tags ?? fields.slug_name ?? fields.display_name
      setErrors({ ...fields, ...(aboutTags && { tags: aboutTags }) })
      const isUnseen = Object.keys(fields).length === 0 || fields.extensions !== undefined
      if (isUnseen) setFailure(fields.extensions ?? (msg || t('form.failed')))
      setBusy(false)
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
    }
  }
  const discard = () => {
    draft.clear()
    setValues(props.initial)
    setErrors({})
  }
  const editor: EditorProps = {
    id: 'post-content',
    name: 'content',
    label: t('form.content'),
    value: values.content,
    onChange: (content) => set({ content }),
    ...(errors.content && { error: errors.content }),
    help: t('form.content_help'),
    placeholder: t('form.content_placeholder'),
    minRows: 10,
    maxLength: 65_535,
    required: true,
  }
  return (
    <form method="post" ref={form} className={styles.form} onSubmit={(event) => void send(event)} noValidate>
      <DraftNotice draft={draft} isChanged={isChanged} onDiscard={discard} />
      {props.above?.(values, set)}
      <Fields of={experienceSlots.fieldsFirst} {...fields} />
      <div>
        <TextField
          id="post-title"
          name="title"
          dir="auto"
          label={t('form.title')}
          help={t('form.title_help')}
          placeholder={t('form.title_placeholder')}
          required
          maxLength={300}
          value={values.title}
          onChange={(title) => set({ title })}
          error={errors.title}
          aside={<TitleLength title={values.title} />}
          autoComplete="off"
          autoFocus={props.suggests}
        />
        {props.suggests && <SimilarPosts title={values.title} />}
        <Slot of={experienceSlots.afterTitle} props={{ title: values.title }} />
      </div>
      <Fields of={experienceSlots.fieldsAfterTitle} {...fields} />
      <Slot of={kernelSlots.editor} props={editor} waiting={<PlainEditor {...editor} awaitsEditor />} empty={<PlainEditor {...editor} />} />
      <Fields of={experienceSlots.fieldsAfterContent} {...fields} />
      <Slot
        of={experienceSlots.tags}
        waiting={<TextField label={t('form.tags')} help=" " disabled />}
        props={{ value: values.tags, onChange: (tags) => set({ tags }), error: errors.tags }}
      />
      <Fields of={experienceSlots.fields} {...fields} />
      {props.extra?.(values, set)}
      {failure && (
        <Notice tone="danger" title={failure} live>
          <p>{t('form.failed')}</p>
        </Notice>
      )}
      <div className={styles.buttons}>
        <Button type="submit" variant="primary" busy={isBusy}>
          {props.submitLabel}
        </Button>
        {props.cancelTo && (
          <Button variant="quiet" onClick={() => void navigate(props.cancelTo as string)}>
            {props.cancelLabel}
          </Button>
        )}
        <span className={styles.saved} role="status">
          {draft.savedAt !== undefined && (
            <Time at={Math.floor(draft.savedAt / 1000)} style="datetime" phrase={(time) => t('form.draft_saved', { time })} />
          )}
        </span>
      </div>
    </form>
  )
}

/** Shown once it matters: how many characters the title has, of those that it may. */
function TitleLength({ title }: { title: string }) {
  const length = [...title.trim()].length
  return length < LONGEST_TITLE * 0.6 ? null : (
    <span className={styles.length} data-over={length > LONGEST_TITLE} role="status">
      {length} / {LONGEST_TITLE}
    </span>
  )
}

function PlainEditor({ minRows, onBlur: _, required = false, ...field }: EditorProps & { awaitsEditor?: boolean }) {
  return <TextArea {...field} rows={minRows} required={required} />
}
