import { useText } from '@stoa/sdk/web'
import { DifferenceView } from './difference-view.tsx'
import styles from './history.module.css'

export interface ShownText {
  title: string
  tags: { slug_name: string; display_name: string }[]
  original_text: string
  slug_name: string
  /** What plugins have stored with it, in words. */
  fields: Field[]
}
export interface Field {
  slug: string
  label: string
  text: string
}
const nothing: ShownText = { title: '', tags: [], original_text: '', slug_name: '', fields: [] }

const textIn = (fields: readonly Field[], slug: string): string => fields.find((field) => field.slug === slug)?.text ?? ''

/** Values of plugins, each where it differs. */
export function FieldChanges({ before, after }: { before: readonly Field[]; after: readonly Field[] }) {
  const labels = new Map([...before, ...after].map(({ slug, label }) => [slug, label]))
  return [...labels]
    .filter(([slug]) => textIn(before, slug) !== textIn(after, slug))
    .map(([slug, label]) => (
      <section key={slug}>
        <h3>{label}</h3>
        <DifferenceView before={textIn(before, slug)} after={textIn(after, slug)} label={label} />
      </section>
    ))
}

/** Title, tags, text and values of plugins of two versions, each where it differs. */
export function Texts({ before, after }: { before: ShownText | null; after: ShownText }) {
  const t = useText('history')
  const old = before ?? nothing
  const tags = (text: ShownText) => text.tags.map((tag) => tag.display_name || tag.slug_name).join('\n')
  const fields = [
    [t('timeline.field_title'), old.title, after.title],
    [t('timeline.field_slug'), old.slug_name, after.slug_name],
    [t('timeline.field_tags'), tags(old), tags(after)],
  ] as const
  return (
    <div className={styles.texts}>
      {fields
        .filter(([, one, other]) => one !== other)
        .map(([name, one, other]) => (
          <section key={name}>
            <h3>{name}</h3>
            <DifferenceView before={one} after={other} label={name} />
          </section>
        ))}
      <FieldChanges before={old.fields} after={after.fields} />
      <DifferenceView before={old.original_text} after={after.original_text} />
    </div>
  )
}
